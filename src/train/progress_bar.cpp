#include "src/train/progress_bar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace bcr::train {
namespace {

constexpr std::chrono::milliseconds redraw_every{100};
constexpr std::chrono::seconds speak_every{30};
constexpr std::size_t bar_width = 24;

}  // namespace

std::string duration_text(const double seconds) {
  const auto whole = static_cast<std::int64_t>(std::llround(std::max(seconds, 0.0)));
  if (whole >= 3600) return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
  if (whole >= 60) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} s", whole);
}

ProgressBar::ProgressBar(const Log& log, const std::uint64_t first_step, const std::uint64_t total_steps)
    : log_(log),
      first_step_(first_step),
      total_steps_(total_steps),
      start_(Clock::now()),
      next_(start_ + (log.is_terminal() ? Clock::duration(0) : Clock::duration(speak_every))) {}

ProgressBar::~ProgressBar() {
  clear();
}

std::string ProgressBar::text(const std::uint64_t step, const std::string& note) const {
  const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  const double per_step = seconds / double(std::max<std::uint64_t>(step - first_step_, 1));
  const double share = double(step) / double(std::max<std::uint64_t>(total_steps_, 1));
  const std::string bar(static_cast<std::size_t>(double(bar_width) * share), '#');
  return fmt::format("[{:<{}}] {:3.0f} %  {}  {} left", bar, bar_width, 100 * share, note,
                     duration_text(per_step * double(total_steps_ - step)));
}

void ProgressBar::show(const std::uint64_t step, const std::string& note) {
  if (!log_.enabled(LogLevel::info)) return;
  const auto now = Clock::now();
  if (now < next_) return;
  const std::string line = text(step, note);
  if (!log_.is_terminal()) {
    log_.info("train", "{}", line);
    next_ = now + speak_every;
    return;
  }
  fmt::print(stderr, "\r\033[K{}", line);
  std::fflush(stderr);
  drawn_ = true;
  next_ = now + redraw_every;
}

void ProgressBar::clear() {
  if (drawn_) std::fputs("\r\033[K", stderr);
  drawn_ = false;
}

}  // namespace bcr::train
