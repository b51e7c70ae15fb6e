#include "src/optim/learning_rate.hpp"

#include "kernels/math/cos_pi.hpp"
#include "src/core/error.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace bcr::optim {

WarmupCosine::WarmupCosine(const Settings& settings) : settings_(settings) {
  const bool rates_fit = settings.minimum >= 0 && settings.minimum <= settings.rate && std::isfinite(settings.rate);
  if (!rates_fit) {
    throw ConfigError("learning-rate schedule", "0 <= minimum <= rate",
                      "minimum " + std::to_string(settings.minimum) + ", rate " + std::to_string(settings.rate));
  }
  if (settings.total_steps == 0 || settings.warmup_steps > settings.total_steps) {
    throw ConfigError("learning-rate schedule", "warmup_steps <= total_steps, at least one step",
                      std::to_string(settings.warmup_steps) + " of " + std::to_string(settings.total_steps));
  }
}

double WarmupCosine::operator()(const std::uint64_t step) const {
  const std::uint64_t done = std::min(step, settings_.total_steps - 1) + 1;
  if (done <= settings_.warmup_steps) {
    return settings_.rate * static_cast<double>(done) / static_cast<double>(settings_.warmup_steps);
  }
  const std::uint64_t held = settings_.steps_held;
  const std::uint64_t reached = held == 0 ? done : std::max((done - 1) / held * held, settings_.warmup_steps);
  const double u = static_cast<double>(reached - settings_.warmup_steps) /
                   static_cast<double>(settings_.total_steps - settings_.warmup_steps);
  const double share = 0.5 * (1 + kernels::strict::cos_pi(u));
  return Kokkos::fma(settings_.rate - settings_.minimum, share, settings_.minimum);
}

}  // namespace bcr::optim
