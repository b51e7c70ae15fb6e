#ifndef BCR_KERNELS_RNN_GRU_CELL_HPP
#define BCR_KERNELS_RNN_GRU_CELL_HPP

#include "kernels/math/sigmoid.hpp"
#include "kernels/math/tanh.hpp"

namespace bcr::kernels {

/// The gates of one unit at one step and the state that it leaves (Cho et al. 2014, in the form that applies the linear
/// map before the reset gate, as cuDNN, oneDNN's lbr_gru and PyTorch do):
///   r = sigmoid(reset)   z = sigmoid(update)   n = tanh(input + r q)   h' = (1 - z) n + z h
/// where q is the recurrent sum of the candidate, with its bias.
template <class T>
struct GruGates {
  T r;
  T z;
  T n;
  T h;
};

template <class T>
KOKKOS_FORCEINLINE_FUNCTION T gru_candidate(const T r, const T input, const T q) {
  return strict::tanh(Kokkos::fma(r, q, input));
}
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T gru_state(const T z, const T n, const T h) {
  return Kokkos::fma(z, h - n, n);
}
template <class T>
KOKKOS_FORCEINLINE_FUNCTION GruGates<T> gru_cell(const T reset, const T update, const T input, const T q, const T h) {
  const T r = strict::sigmoid(reset);
  const T z = strict::sigmoid(update);
  const T n = gru_candidate(r, input, q);
  return {r, z, n, gru_state(z, n, h)};
}

/// The gradients of what gru_cell was given; `h` without what comes back through the recurrent sums.
template <class T>
struct GruGradients {
  T reset;
  T update;
  T input;
  T q;
  T h;
};

/// From the gradient diff of h'; h is the state before the step.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION GruGradients<T> gru_cell_gradients(const T r, const T z, const T n, const T q, const T h,
                                                               const T diff) {
  const T rest = T(1) - z;
  const T input = diff * rest * Kokkos::fma(-n, n, T(1));
  const T update = diff * (h - n) * (z * rest);
  const T reset = input * q * (r * (T(1) - r));
  return {reset, update, input, input * r, diff * z};
}

}  // namespace bcr::kernels

#endif
