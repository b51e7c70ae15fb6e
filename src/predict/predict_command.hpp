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

/// All of bcr-predict between the command line and standard output.
class PredictCommand {
 public:
  void declare(CLI::App& parser);
  /// Returns how many images or texts could not be read; each has a line with its error.
  std::size_t run(const Log& log) const;

 private:
  void print(const AnsweredPicture& line, const Predictor& predictor) const;
  /// Decodes the pictures on all threads of the host, shows those that could be read to the model, prints a line each.
  /// Returns how many could not be read.
  std::size_t answer(Predictor& predictor, const std::vector<PictureRef>& pictures) const;
  /// The same of texts.
  std::size_t answer_texts(Predictor& predictor) const;
  std::size_t answer(Predictor& predictor, const std::vector<TextRef>& texts) const;

  std::filesystem::path model_;
  std::vector<std::string> paths_;
  RejectionFlags rejection_;
  std::string format_ = "csv";
  std::string fit_ = "crop";
  std::string words_ = "spaces";
  bool lines_ = false;
  std::size_t batch_ = 64;
};

}  // namespace bcr::predict

#endif
