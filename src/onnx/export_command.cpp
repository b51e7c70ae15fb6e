#include "src/onnx/export_command.hpp"

#include "src/core/atomic_file.hpp"
#include "src/onnx/decision_writer.hpp"
#include "src/onnx/model_file.hpp"

#include <CLI/CLI.hpp>

namespace bcr::onnx {

void ExportCommand::declare(CLI::App& parser) {
  parser.add_option("MODEL", model_, "a run directory, whose latest checkpoint is taken, or a checkpoint")->required();
  parser.add_option("-o,--out", out_, "the file to write")->required()->type_name("FILE");
  parser.add_option("--format", format_, "of the file")->check(CLI::IsMember({"onnx"}));
  parser.add_option("--scores", scores_, "outputs besides the score that decides, by commas")
      ->delimiter(',')
      ->check(CLI::IsMember(DecisionWriter::known_scores()))
      ->type_name("SCORE,...");
  rejection_.declare(parser);
}

void ExportCommand::run(const Log& log) const {
  const predict::SavedModel model = predict::read_saved_model(model_);
  const std::string file = model_file(model, rejection_.options(), scores_);
  write_file(out_, file);
  log.info("export", "{}: {}, {} bytes, opset {}", out_.string(), model.checkpoint.model, file.size(), operator_set);
}

}  // namespace bcr::onnx
