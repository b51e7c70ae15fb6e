#ifndef BCR_KERNELS_MATH_MAP_HPP
#define BCR_KERNELS_MATH_MAP_HPP

#include "src/core/views.hpp"

#include <Kokkos_Core.hpp>

#include <type_traits>

namespace bcr::kernels::strict {

/// dst(i) = exp(src(i)), and so on: the scalar functions of this folder over vectors of N elements, N = 0 allowed.
/// dst may be src itself, but may not overlap it otherwise. Asynchronous on exec. Every element has the bits of the
/// scalar function, whatever N, the backend and the number of threads. Traffic: 2 N sizeof(T).
template <class Exec, class T>
void exp(const Exec& exec, ConstVector<std::type_identity_t<T>, Exec> src, Vector<T, Exec> dst);
template <class Exec, class T>
void expm1(const Exec& exec, ConstVector<std::type_identity_t<T>, Exec> src, Vector<T, Exec> dst);
template <class Exec, class T>
void log(const Exec& exec, ConstVector<std::type_identity_t<T>, Exec> src, Vector<T, Exec> dst);
template <class Exec, class T>
void log1p(const Exec& exec, ConstVector<std::type_identity_t<T>, Exec> src, Vector<T, Exec> dst);
template <class Exec, class T>
void erfc(const Exec& exec, ConstVector<std::type_identity_t<T>, Exec> src, Vector<T, Exec> dst);
template <class Exec, class T>
void sigmoid(const Exec& exec, ConstVector<std::type_identity_t<T>, Exec> src, Vector<T, Exec> dst);
template <class Exec, class T>
void tanh(const Exec& exec, ConstVector<std::type_identity_t<T>, Exec> src, Vector<T, Exec> dst);

}  // namespace bcr::kernels::strict

#endif
