#ifndef BCR_LOSSES_INCLUSION_MEDIAN_HPP
#define BCR_LOSSES_INCLUSION_MEDIAN_HPP

namespace bcr::losses {

/// The squared distance at which P_I = 1/2 in n dimensions, the median of the chi-square distribution, about n - 2/3:
/// the smallest double D^2 with P_I <= 1/2 as kernels::incomplete_gamma computes it, hence the same bits everywhere.
/// Minus it is the threshold of the score min_distance that needs no data. ConfigError unless dimensions > 0.
double inclusion_median(int dimensions);

}  // namespace bcr::losses

#endif
