#ifndef BCR_SRC_OPTIM_LEARNING_RATE_HPP
#define BCR_SRC_OPTIM_LEARNING_RATE_HPP

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

namespace bcr::optim {

/// When the rate of a cosine moves on.
enum class RateChange { every_step, every_epoch };

constexpr auto enum_names(RateChange) {
  using namespace std::string_view_literals;
  return std::array{std::pair{"every-step"sv, RateChange::every_step},
                    std::pair{"every-epoch"sv, RateChange::every_epoch}};
}

/// Learning rate by step t = 0, 1, ..., total_steps - 1: a linear warm-up, then half a cosine,
///   t < W:   rate (t + 1) / W
///   t >= W:  minimum + (rate - minimum) (1 + cos(pi u)) / 2,   u = (t + 1 - W) / (T - W),
/// with W = warmup_steps, T = total_steps. The warm-up ends on `rate` and the last step of all uses `minimum`.
/// With steps_held = S > 0 the cosine stands still for S steps, those of an epoch, and begins on `rate`:
///   t >= W:  u = (S floor(t / S) - W) / (T - W),
/// as PyTorch's CosineAnnealingLR does when it is called after each epoch. The same bits on every host.
class WarmupCosine {
 public:
  struct Settings {
    double rate = 0.1;
    double minimum = 1e-6;
    std::uint64_t warmup_steps = 0;
    std::uint64_t total_steps = 0;
    std::uint64_t steps_held = 0;  ///< 0: none, the rate changes with every step
  };

  /// ConfigError unless 0 <= minimum <= rate and warmup_steps <= total_steps, total_steps > 0.
  explicit WarmupCosine(const Settings& settings);

  /// Steps beyond the last stay at its rate.
  double operator()(std::uint64_t step) const;

 private:
  Settings settings_;
};

}  // namespace bcr::optim

#endif
