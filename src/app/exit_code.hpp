#ifndef BCR_SRC_APP_EXIT_CODE_HPP
#define BCR_SRC_APP_EXIT_CODE_HPP

#include <exception>

namespace bcr::app {

/// What a program tells its caller. Scripts and job systems rely on these numbers.
enum class ExitCode : int {
  done = 0,
  failed = 1,    ///< anything that is none of the following
  usage = 2,     ///< command line or configuration
  data = 3,      ///< a file or data set
  numerics = 4,  ///< NaN, infinity, divergence
  stopped = 5,   ///< asked to stop by a signal, and saved: the same command goes on
};

/// The code for an exception that reached the top of a program.
ExitCode exit_code_for(const std::exception& error) noexcept;

}  // namespace bcr::app

#endif
