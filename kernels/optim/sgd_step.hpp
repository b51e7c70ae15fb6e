#ifndef BCR_KERNELS_OPTIM_SGD_STEP_HPP
#define BCR_KERNELS_OPTIM_SGD_STEP_HPP

#include "kernels/optim/parameter_chunks.hpp"
#include "src/core/views.hpp"

namespace bcr::kernels {

enum class MomentumRule { classical, nesterov };

template <class T>
struct SgdCoefficients {
  T rate = 0;
  T weight_decay = 0;
  T momentum = 0;
};

/// One step of stochastic gradient descent for every element of every chunk, with c the coefficients of its group:
///   d = diff_params + c.weight_decay params
///   velocity = c.momentum velocity + d                      (velocity is zero before the first step)
///   params -= c.rate (d + c.momentum velocity)              Nesterov
///   params -= c.rate velocity                               classical
/// Each line is one or two explicit fmas: the same bits everywhere. Elements outside all chunks are not touched.
/// Asynchronous on exec. diff_params, velocity and params have the same length and do not overlap.
/// Traffic: 5 sizeof(T) per element (3 read, 2 written).
template <class Exec, class T>
void sgd_step(const Exec& exec, ConstVector<ParameterChunk, Exec> chunks, const PerGroup<SgdCoefficients<T>>& groups,
              MomentumRule rule, ConstVector<T, Exec> diff_params, Vector<T, Exec> velocity, Vector<T, Exec> params);

}  // namespace bcr::kernels

#endif
