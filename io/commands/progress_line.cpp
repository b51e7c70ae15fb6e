#include "io/commands/progress_line.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace bcr::io {

namespace {

constexpr std::chrono::milliseconds redraw_every{100};
constexpr std::chrono::seconds speak_every{5};
constexpr std::size_t bar_width = 30;

}  // namespace

ProgressLine::ProgressLine(const Log& log, std::string what)
    : log_(log),
      what_(std::move(what)),
      next_(std::chrono::steady_clock::now() + (log.is_terminal() ? std::chrono::milliseconds(0) : speak_every)) {}

ProgressLine::~ProgressLine() {
  if (drawn_) std::fputs("\r\033[K", stderr);
}

void ProgressLine::show(const std::size_t done, const std::size_t total) {
  if (!log_.enabled(LogLevel::info)) return;
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  const std::string count = total == 0 ? fmt::format("{}", done) : fmt::format("{} of {}", done, total);
  if (!log_.is_terminal()) {
    log_.info("data", "{}: {}", what_, count);
    next_ = now + speak_every;
    return;
  }
  const std::size_t filled = total == 0 ? 0 : bar_width * done / total;
  fmt::print(stderr, "\r\033[K{} [{:<{}}] {}", what_, std::string(filled, '#'), bar_width, count);
  std::fflush(stderr);
  drawn_ = true;
  next_ = now + redraw_every;
}

}  // namespace bcr::io
