#ifndef BCR_SRC_OPTIM_SCHEDULE_HPP
#define BCR_SRC_OPTIM_SCHEDULE_HPP

#include <cstdint>

namespace bcr::optim {

/// Learning rate by step t = 0, 1, ..., total_steps - 1: a linear warm-up, then half a cosine,
///   t < W:   rate (t + 1) / W
///   t >= W:  minimum + (rate - minimum) (1 + cos(pi u)) / 2,   u = (t + 1 - W) / (T - W),
/// with W = warmup_steps, T = total_steps. The warm-up ends on `rate` and the last step of all uses `minimum`.
/// A step may be an iteration or an epoch: whoever counts decides. The same bits on every host.
class WarmupCosine {
 public:
  struct Settings {
    double rate = 0.1;
    double minimum = 1e-6;
    std::uint64_t warmup_steps = 0;
    std::uint64_t total_steps = 0;
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
