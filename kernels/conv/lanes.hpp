#ifndef BCR_KERNELS_CONV_LANES_HPP
#define BCR_KERNELS_CONV_LANES_HPP

#include "kernels/norm/activation.hpp"

#include <Kokkos_Core.hpp>

#include <cstring>
#include <type_traits>
#include <utility>

#if defined(__AVX512F__) && !defined(__clang__) && !defined(__CUDACC__)
#include <immintrin.h>
#endif

namespace bcr::kernels {

/// Channels that one block of the packed weights holds side by side: 64 bytes, a cache line.
template <class T>
inline constexpr int channel_block = static_cast<int>(64 / sizeof(T));

namespace impl {

// The registers of this compilation. The choice changes speed only: every lane is a chain of its own.
#if defined(__AVX512F__)
inline constexpr int vector_bytes = 64;
#elif defined(__AVX__)
inline constexpr int vector_bytes = 32;
#else
inline constexpr int vector_bytes = 16;
#endif

/// Rows of accumulators (pixels, or input channels) that fill the registers beside one block of channels: 12 of 16 on
/// AVX2, 24 of 32 on Neon; on AVX-512 beside two, so that a factor that was read serves two products: 24 of 32.
#if defined(__AVX512F__)
inline constexpr int tile_rows = 12;
inline constexpr int tile_blocks = 2;
#else
inline constexpr int tile_rows = 6;
inline constexpr int tile_blocks = 1;
#endif

/// Rows beside `blocks` blocks, no more than three: two keep all of them.
constexpr int tile_rows_of(const int blocks) {
  return blocks <= 2 || tile_blocks == 1 ? tile_rows : tile_rows * tile_blocks / blocks;
}

/// Calls f(integral_constant 0), ..., f(integral_constant N - 1). Constant indices keep small arrays in registers,
/// which loops do not achieve with every compiler. For hosts.
template <class F, int... I>
[[gnu::always_inline]] inline constexpr void unroll(const F& f, std::integer_sequence<int, I...>) {
  (f(std::integral_constant<int, I>{}), ...);
}
template <int N, class F>
[[gnu::always_inline]] inline constexpr void unroll(const F& f) {
  unroll(f, std::make_integer_sequence<int, N>{});
}

/// Asks for a cache line that is read or written soon. Changes speed only.
inline void prefetch([[maybe_unused]] const void* const line) {
#if defined(__GNUC__)
  __builtin_prefetch(line);
#endif
}

#if defined(__GNUC__) && !defined(__CUDACC__)

/// One register. GCC and Clang turn the element-wise fma of a pack expansion into one vector instruction.
template <class T>
struct Register {
  using type __attribute__((vector_size(vector_bytes))) = T;
  static constexpr int width = static_cast<int>(vector_bytes / sizeof(T));
};

/// fma(a, b, c), element by element, of registers or of one factor for all. GCC builds no 64-byte fma unless it is told
/// to prefer that width, so there it is named.
template <class T, class Factor>
KOKKOS_FORCEINLINE_FUNCTION typename Register<T>::type multiply_add(const Factor& a,
                                                                    const typename Register<T>::type& b,
                                                                    const typename Register<T>::type& c) {
  constexpr bool one_factor = std::is_same_v<Factor, T>;
#if defined(__AVX512F__) && !defined(__clang__)
  if constexpr (std::is_same_v<T, float>) {
    if constexpr (one_factor)
      return _mm512_fmadd_ps(_mm512_set1_ps(a), b, c);
    else
      return _mm512_fmadd_ps(a, b, c);
  } else {
    if constexpr (one_factor)
      return _mm512_fmadd_pd(_mm512_set1_pd(a), b, c);
    else
      return _mm512_fmadd_pd(a, b, c);
  }
#else
  using Vector = typename Register<T>::type;
  return [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
    if constexpr (one_factor)
      return Vector{Kokkos::fma(a, b[I], c[I])...};
    else
      return Vector{Kokkos::fma(a[I], b[I], c[I])...};
  }
  (std::make_integer_sequence<int, Register<T>::width>{});
#endif
}

/// A block of channels in registers.
template <class T>
class Lanes {
  using Vector = typename Register<T>::type;
  static constexpr int width = Register<T>::width;
  static constexpr int vectors = channel_block<T> / width;

 public:
  static KOKKOS_FORCEINLINE_FUNCTION Lanes zero() {
    Lanes lanes;
    unroll<vectors>([&](const auto v) __attribute__((always_inline)) { lanes.part_[v] = Vector{}; });
    return lanes;
  }

  static KOKKOS_FORCEINLINE_FUNCTION Lanes load(const T* const from) {
    Lanes lanes;
    unroll<vectors>([&](const auto v) __attribute__((always_inline)) {
      std::memcpy(&lanes.part_[v], from + v * width, sizeof(Vector));
    });
    return lanes;
  }

  KOKKOS_FORCEINLINE_FUNCTION void store(T* const to) const {
    unroll<vectors>([&](const auto v)
                        __attribute__((always_inline)) { std::memcpy(to + v * width, &part_[v], sizeof(Vector)); });
  }

  /// this = fma(factor, lanes, this), lane by lane.
  KOKKOS_FORCEINLINE_FUNCTION void add_product(const T factor, const Lanes& lanes) {
    unroll<vectors>([&](const auto v) __attribute__((always_inline)) {
      part_[v] = multiply_add<T>(factor, lanes.part_[v], part_[v]);
    });
  }

  /// a b + c, lane by lane, rounded once.
  static KOKKOS_FORCEINLINE_FUNCTION Lanes fma(const Lanes& a, const Lanes& b, const Lanes& c) {
    Lanes result;
    unroll<vectors>([&](const auto v) __attribute__((always_inline)) {
      result.part_[v] = multiply_add<T>(a.part_[v], b.part_[v], c.part_[v]);
    });
    return result;
  }

  KOKKOS_FORCEINLINE_FUNCTION Lanes halved() const {
    Lanes half;
    unroll<vectors>([&](const auto v) __attribute__((always_inline)) { half.part_[v] = T(0.5) * part_[v]; });
    return half;
  }

  /// activated<relu>, lane by lane.
  KOKKOS_FORCEINLINE_FUNCTION Lanes rectified() const {
    Lanes result;
    unroll<vectors>([&](const auto v) __attribute__((always_inline)) {
      result.part_[v] = part_[v] <= Vector{} ? Vector{} : part_[v];
    });
    return result;
  }

  friend KOKKOS_FORCEINLINE_FUNCTION Lanes operator+(const Lanes& a, const Lanes& b) {
    Lanes sum;
    unroll<vectors>([&](const auto v) __attribute__((always_inline)) { sum.part_[v] = a.part_[v] + b.part_[v]; });
    return sum;
  }

  friend KOKKOS_FORCEINLINE_FUNCTION Lanes operator-(const Lanes& a, const Lanes& b) {
    Lanes difference;
    unroll<vectors>([&](const auto v)
                        __attribute__((always_inline)) { difference.part_[v] = a.part_[v] - b.part_[v]; });
    return difference;
  }

 private:
  Vector part_[vectors];
};

#else

/// The same with plain loops, for compilers without vector types.
template <class T>
class Lanes {
 public:
  static KOKKOS_FORCEINLINE_FUNCTION Lanes zero() { return Lanes{}; }

  static KOKKOS_FORCEINLINE_FUNCTION Lanes load(const T* const from) {
    Lanes lanes;
    for (int i = 0; i < channel_block<T>; ++i) lanes.part_[i] = from[i];
    return lanes;
  }

  KOKKOS_FORCEINLINE_FUNCTION void store(T* const to) const {
    for (int i = 0; i < channel_block<T>; ++i) to[i] = part_[i];
  }

  KOKKOS_FORCEINLINE_FUNCTION void add_product(const T factor, const Lanes& lanes) {
    for (int i = 0; i < channel_block<T>; ++i) part_[i] = Kokkos::fma(factor, lanes.part_[i], part_[i]);
  }

  static KOKKOS_FORCEINLINE_FUNCTION Lanes fma(const Lanes& a, const Lanes& b, const Lanes& c) {
    Lanes result;
    for (int i = 0; i < channel_block<T>; ++i) result.part_[i] = Kokkos::fma(a.part_[i], b.part_[i], c.part_[i]);
    return result;
  }

  KOKKOS_FORCEINLINE_FUNCTION Lanes halved() const {
    Lanes half;
    for (int i = 0; i < channel_block<T>; ++i) half.part_[i] = T(0.5) * part_[i];
    return half;
  }

  KOKKOS_FORCEINLINE_FUNCTION Lanes rectified() const {
    Lanes result;
    for (int i = 0; i < channel_block<T>; ++i) result.part_[i] = activated<Activation::relu>(part_[i]);
    return result;
  }

  friend KOKKOS_FORCEINLINE_FUNCTION Lanes operator+(const Lanes& a, const Lanes& b) {
    Lanes sum;
    for (int i = 0; i < channel_block<T>; ++i) sum.part_[i] = a.part_[i] + b.part_[i];
    return sum;
  }

  friend KOKKOS_FORCEINLINE_FUNCTION Lanes operator-(const Lanes& a, const Lanes& b) {
    Lanes difference;
    for (int i = 0; i < channel_block<T>; ++i) difference.part_[i] = a.part_[i] - b.part_[i];
    return difference;
  }

 private:
  T part_[channel_block<T>] = {};
};

#endif

/// One channel, with the interface of Lanes.
template <class T>
struct Lane {
  T value;

  static KOKKOS_FORCEINLINE_FUNCTION Lane load(const T* const from) { return {*from}; }
  static KOKKOS_FORCEINLINE_FUNCTION Lane fma(const Lane& a, const Lane& b, const Lane& c) {
    return {Kokkos::fma(a.value, b.value, c.value)};
  }
  KOKKOS_FORCEINLINE_FUNCTION Lane halved() const { return {T(0.5) * value}; }
  KOKKOS_FORCEINLINE_FUNCTION Lane rectified() const { return {activated<Activation::relu>(value)}; }
  KOKKOS_FORCEINLINE_FUNCTION void store(T* const to) const { *to = value; }
  friend KOKKOS_FORCEINLINE_FUNCTION Lane operator+(const Lane& a, const Lane& b) { return {a.value + b.value}; }
  friend KOKKOS_FORCEINLINE_FUNCTION Lane operator-(const Lane& a, const Lane& b) { return {a.value - b.value}; }
};

}  // namespace impl
}  // namespace bcr::kernels

#endif
