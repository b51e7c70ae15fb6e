#ifndef BCR_SRC_TRAIN_REGION_CLOCK_HPP
#define BCR_SRC_TRAIN_REGION_CLOCK_HPP

#include <Kokkos_Core.hpp>

#include <array>
#include <cstddef>
#include <string_view>

namespace bcr::train {

/// The parts of a training step.
enum class Region { data, forward, head, backward, communication, update };
inline constexpr std::array<std::string_view, 6> region_names{"data",     "forward",       "head",
                                                              "backward", "communication", "update"};

/// Times the parts of single steps; a part may come in several pieces. While idle, it does nothing: only a step that is
/// watched waits for the device at the end of each part.
template <class Exec>
class RegionClock {
 public:
  enum class State { idle, watching };
  using Seconds = std::array<double, region_names.size()>;

  explicit RegionClock(const Exec& exec) : exec_(exec) {}

  /// Before the first part of a step.
  void start(const State state) {
    state_ = state;
    if (state_ == State::idle) return;
    exec_.fence("bcr::train::RegionClock");
    seconds_ = {};
    timer_.reset();
  }

  /// The part since start() or the end of the part before was this one.
  void end(const Region region) {
    if (state_ == State::idle) return;
    exec_.fence("bcr::train::RegionClock");
    seconds_[static_cast<std::size_t>(region)] += timer_.seconds();
    timer_.reset();
  }

  /// Of the last step that was watched.
  const Seconds& seconds() const noexcept { return seconds_; }

 private:
  Exec exec_;
  State state_ = State::idle;
  Kokkos::Timer timer_;
  Seconds seconds_{};
};

}  // namespace bcr::train

#endif
