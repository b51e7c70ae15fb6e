#ifndef BCR_SRC_TRAIN_PROGRESS_BAR_HPP
#define BCR_SRC_TRAIN_PROGRESS_BAR_HPP

#include "src/core/log.hpp"

#include <chrono>
#include <cstdint>
#include <string>

namespace bcr::train {

/// "1 h 02 min", "3 min 05 s", "12 s".
std::string duration_text(double seconds);

/// How far a training is, how fast it goes and how long it takes yet: one line that is redrawn on a terminal, otherwise
/// a plain line every half a minute. Time left is judged by the steps since this object was made.
class ProgressBar {
 public:
  using Clock = std::chrono::steady_clock;

  ProgressBar(const Log& log, std::uint64_t first_step, std::uint64_t total_steps);
  ~ProgressBar();

  /// After a step. `note` is what else the line says: the epoch, the loss, the rate.
  void show(std::uint64_t step, const std::string& note);
  /// Takes the line away, for whoever writes another one.
  void clear();

 private:
  std::string text(std::uint64_t step, const std::string& note) const;

  Log log_;
  std::uint64_t first_step_;
  std::uint64_t total_steps_;
  Clock::time_point start_;
  Clock::time_point next_;
  bool drawn_ = false;
};

}  // namespace bcr::train

#endif
