#ifndef BCR_SRC_REPORT_RUN_SCORES_FILE_HPP
#define BCR_SRC_REPORT_RUN_SCORES_FILE_HPP

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace bcr::report {

/// Rows of numbers, [count, width].
struct Rows {
  std::size_t width = 0;
  std::vector<float> values;

  std::size_t count() const { return width == 0 ? 0 : values.size() / width; }
  const float* row(const std::size_t i) const { return values.data() + i * width; }
};

/// The images of one test set as the classifier saw them. What the file does not hold is empty.
struct ScoredSet {
  std::string name;
  std::vector<std::int32_t> labels;
  std::vector<std::int32_t> predictions;
  std::map<std::string, std::vector<double>> scores;  ///< without those that hold a NaN
  Rows features;

  std::size_t size() const { return predictions.size(); }
};

/// Images that show where the classifier is best or worst.
struct ExampleImages {
  std::string name;  ///< "worst_known"
  std::size_t height = 0;
  std::size_t width = 0;
  std::size_t channels = 0;
  std::vector<std::uint8_t> pixels;  ///< [count, height, width, channels]
  std::vector<std::int32_t> labels;
  std::vector<std::int32_t> predictions;
  std::vector<double> scores;
  std::size_t count = 0;
};

/// scores.h5.
struct RunScores {
  std::string default_score;
  std::vector<std::string> class_names;
  ScoredSet known;
  std::vector<ScoredSet> unknown;
  Rows anchors;
  std::map<std::string, std::vector<double>> train_scores;
  std::vector<ExampleImages> examples;
  std::vector<std::string> notes;  ///< sentences about what was left out

  std::size_t classes() const { return class_names.size(); }
};

/// An IoError that names the file if it is damaged or its parts do not fit together. Parts that are not there are empty.
RunScores read_scores(const std::filesystem::path& file);

}  // namespace bcr::report

#endif
