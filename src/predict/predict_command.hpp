#ifndef BCR_SRC_PREDICT_PREDICT_COMMAND_HPP
#define BCR_SRC_PREDICT_PREDICT_COMMAND_HPP

#include "src/predict/answer_lines.hpp"
#include "src/predict/picture_source.hpp"
#include "src/predict/predictor.hpp"
#include "src/predict/rejection_flags.hpp"
#include "src/predict/text_source.hpp"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace bcr::predict {

class AnswerOutput;

/// All of bcr-predict between the command line and standard output.
class PredictCommand {
 public:
  void declare(CLI::App& parser);
  /// Returns how many images or texts could not be read; each has a line with its error.
  std::size_t run(const Log& log) const;

 private:
  ImagePlan image_plan(const Predictor& predictor) const;
  SavedModel saved_model() const;
  std::size_t workers() const;
  void answer_pictures(Predictor& predictor, AnswerOutput& output, const Log& log) const;
  void answer_texts(Predictor& predictor, AnswerOutput& output, const Log& log) const;

  std::filesystem::path model_;
  std::vector<std::string> paths_;
  RejectionFlags rejection_;
  std::string mode_;
  std::string format_ = "csv";
  std::string fit_;
  std::string words_ = "spaces";
  bool lines_ = false;
  std::size_t batch_ = 64;
  std::size_t workers_ = 0;
};

}  // namespace bcr::predict

#endif
