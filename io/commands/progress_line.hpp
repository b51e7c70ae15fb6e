#ifndef BCR_IO_COMMANDS_PROGRESS_LINE_HPP
#define BCR_IO_COMMANDS_PROGRESS_LINE_HPP

#include "src/core/log.hpp"

#include <chrono>
#include <cstddef>
#include <string>

namespace bcr::io {

/// Tells how far a long job is: one line that is redrawn on a terminal, otherwise a plain line every few seconds.
class ProgressLine {
 public:
  ProgressLine(const Log& log, std::string what);
  ~ProgressLine();

  /// total = 0: not known.
  void show(std::size_t done, std::size_t total);

 private:
  Log log_;
  std::string what_;
  std::chrono::steady_clock::time_point next_;
  bool drawn_ = false;
};

}  // namespace bcr::io

#endif
