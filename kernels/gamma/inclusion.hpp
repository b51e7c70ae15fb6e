#ifndef BCR_KERNELS_GAMMA_INCLUSION_HPP
#define BCR_KERNELS_GAMMA_INCLUSION_HPP

#include "kernels/math/exp.hpp"
#include "kernels/math/log1p.hpp"

namespace bcr::kernels {

/// Everything the losses ask of the gamma law with shape a at x, g(x) = x^(a-1) e^-x / Gamma(a) being its density:
/// P = int_0^x g and Q = 1 - P. With a = n/2 and x = D^2/2, Q is the probability of inclusion P_I of a feature at
/// squared distance D^2 from its anchor in n dimensions.
template <class T>
struct Inclusion {
  T log_p;     ///< log P = log(1 - P_I)
  T log_q;     ///< log Q = log P_I
  T hazard_p;  ///< g/P = d log P / dx, pushes background samples out
  T hazard_q;  ///< g/Q = -d log Q / dx, pulls known samples in

  KOKKOS_INLINE_FUNCTION T p() const { return strict::exp(log_p); }
  KOKKOS_INLINE_FUNCTION T q() const { return strict::exp(log_q); }
};

}  // namespace bcr::kernels

#endif
