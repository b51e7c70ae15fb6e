#ifndef BCR_KERNELS_OPTIM_UPDATE_STEPS_HPP
#define BCR_KERNELS_OPTIM_UPDATE_STEPS_HPP

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

/// Coefficients of one Adam step t, with the corrections of the bias towards zero already in them.
template <class T>
struct AdamCoefficients {
  T rate = 0;  ///< learning rate / (1 - beta1^t)
  T weight_decay = 0;
  T one_minus_beta1 = 0;
  T beta2 = 0;
  T one_minus_beta2 = 0;
  T root_correction = 1;  ///< sqrt(1 - beta2^t)
  T epsilon = 0;
};

/// One Adam step (Kingma and Ba 2015) for every element of every chunk, with c the coefficients of its group:
///   g = diff_params + c.weight_decay params
///   first_moment  += (1 - beta1) (g - first_moment)
///   second_moment  = beta2 second_moment + (1 - beta2) g^2
///   params -= c.rate first_moment / (sqrt(second_moment) / c.root_correction + epsilon)
/// Only fma, product, quotient and sqrt in this order: the same bits everywhere. Asynchronous on exec.
/// The arrays have the same length and do not overlap. Traffic: 7 sizeof(T) per element (4 read, 3 written).
template <class Exec, class T>
void adam_step(const Exec& exec, ConstVector<ParameterChunk, Exec> chunks, const PerGroup<AdamCoefficients<T>>& groups,
               ConstVector<T, Exec> diff_params, Vector<T, Exec> first_moment, Vector<T, Exec> second_moment,
               Vector<T, Exec> params);

}  // namespace bcr::kernels

#endif
