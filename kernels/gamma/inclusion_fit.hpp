#ifndef BCR_KERNELS_GAMMA_INCLUSION_FIT_HPP
#define BCR_KERNELS_GAMMA_INCLUSION_FIT_HPP

#include "kernels/gamma/inclusion_curve.hpp"

namespace bcr::kernels {

/// The constants of the curve for a = dimensions / 2, which holds D^2/n >= floor. The arguments are checked by the
/// plan.
InclusionCurve fit_inclusion_curve(int dimensions, double floor);

}  // namespace bcr::kernels

#endif
