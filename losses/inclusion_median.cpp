#include "losses/inclusion_median.hpp"

#include "kernels/gamma/incomplete_gamma.hpp"
#include "src/core/error.hpp"

#include <string>

namespace bcr::losses {

double inclusion_median(const int dimensions) {
  require<ConfigError>(dimensions > 0, "inclusion_median", "at least one dimension", std::to_string(dimensions));
  constexpr double log_half = -0x1.62e42fefa39efp-1;
  const double shape = 0.5 * dimensions;
  double inside = 0;
  double outside = dimensions;  // the median of the chi-square distribution lies below its mean
  double middle = 0.5 * outside;
  while (inside < middle && middle < outside) {
    (kernels::incomplete_gamma(shape, 0.5 * middle).log_q > log_half ? inside : outside) = middle;
    middle = 0.5 * (inside + outside);
  }
  return outside;
}

}  // namespace bcr::losses
