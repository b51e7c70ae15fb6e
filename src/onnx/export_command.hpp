#ifndef BCR_SRC_ONNX_EXPORT_COMMAND_HPP
#define BCR_SRC_ONNX_EXPORT_COMMAND_HPP

#include "src/core/log.hpp"
#include "src/predict/rejection_flags.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace bcr::onnx {

/// All of bcr-export between the command line and the file.
class ExportCommand {
 public:
  void declare(CLI::App& parser);
  void run(const Log& log) const;

 private:
  std::filesystem::path model_;
  std::filesystem::path out_;
  std::string format_ = "onnx";
  std::vector<std::string> scores_;
  predict::RejectionFlags rejection_;
};

}  // namespace bcr::onnx

#endif
