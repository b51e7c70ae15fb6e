#ifndef BCR_SRC_REPORT_RUN_RUN_SCORES_HPP
#define BCR_SRC_REPORT_RUN_RUN_SCORES_HPP

#include "io/hdf5/scores_file.hpp"

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

/// scores.h5 as the figures want it: without scores that nothing can be ranked by.
struct RunScores {
  std::string default_score;
  std::vector<std::string> class_names;
  ScoredSet known;
  std::vector<ScoredSet> unknown;
  Rows anchors;
  std::map<std::string, std::vector<double>> train_scores;
  std::vector<io::ExampleImages> examples;
  std::vector<std::string> notes;  ///< sentences about what was left out

  std::size_t classes() const { return class_names.size(); }
};

/// IoErrors as io::read_scores_file throws them. Parts that are not there are empty.
RunScores read_scores(const std::filesystem::path& file);

}  // namespace bcr::report

#endif
