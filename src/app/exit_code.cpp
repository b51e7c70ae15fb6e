#include "src/app/exit_code.hpp"

#include "src/core/error.hpp"

namespace bcr::app {

ExitCode exit_code_for(const std::exception& error) noexcept {
  if (dynamic_cast<const ConfigError*>(&error)) return ExitCode::usage;
  if (dynamic_cast<const IoError*>(&error)) return ExitCode::data;
  if (dynamic_cast<const NumericsError*>(&error)) return ExitCode::numerics;
  return ExitCode::failed;
}

}  // namespace bcr::app
