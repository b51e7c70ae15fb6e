#ifndef BCR_SRC_PREDICT_PREDICT_COMMAND_HPP
#define BCR_SRC_PREDICT_PREDICT_COMMAND_HPP

#include "src/predict/answer_lines.hpp"
#include "src/predict/picture_source.hpp"
#include "src/predict/predictor.hpp"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace bcr::predict {

/// All of bcr-predict between the command line and standard output.
class PredictCommand {
 public:
  void declare(CLI::App& parser);
  /// Returns how many images could not be read; each has a line with its error.
  std::size_t run(const Log& log) const;

 private:
  RejectionOptions rejection() const;
  ImagePlan image_plan(const Predictor& predictor) const;
  std::size_t workers() const;

  std::filesystem::path model_;
  std::vector<std::string> paths_;
  std::string rule_;
  std::string format_ = "csv";
  std::string fit_;
  double alpha_ = 0.05;
  double threshold_ = 0;
  bool has_threshold_ = false;
  std::size_t batch_ = 64;
  std::size_t workers_ = 0;
};

}  // namespace bcr::predict

#endif
