#ifndef BCR_KERNELS_CONV_BF16_PAIRS_HPP
#define BCR_KERNELS_CONV_BF16_PAIRS_HPP

#include "kernels/conv/lanes.hpp"

#include <Kokkos_BitManipulation.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__AVX512BF16__) && defined(__AVX512BW__) && !defined(__CUDACC__)
#define BCR_AVX512_BF16 1
#include <immintrin.h>
#else
#define BCR_AVX512_BF16 0
#endif

// Products of bf16 on a host: two factors of 16 bits lie side by side in 32, so that one instruction makes both of
// their products and adds them to a sum of float. Rounding is to nearest, ties to even; subnormal factors count as 0.
namespace bcr::kernels {

/// The upper half of a float.
struct Bf16 {
  std::uint16_t bits;
};

/// Whether this compilation has the instructions. Without them all that follows is right, but slower than float.
inline constexpr bool multiplies_bf16_pairs = BCR_AVX512_BF16 != 0;

namespace impl {

#if BCR_AVX512_BF16

/// The pairs of a block of channels: what one instruction multiplies.
class PairRow {
 public:
  static KOKKOS_FORCEINLINE_FUNCTION PairRow load(const Bf16* const from) { return {_mm512_loadu_si512(from)}; }
  /// The same pair for all channels.
  static KOKKOS_FORCEINLINE_FUNCTION PairRow repeat(const Bf16* const pair) {
    std::int32_t both;
    std::memcpy(&both, pair, sizeof(both));
    return {_mm512_set1_epi32(both)};
  }

  __m512i bits;
};

/// A sum for each channel of a block.
class PairSums {
 public:
  static KOKKOS_FORCEINLINE_FUNCTION PairSums zero() { return {_mm512_setzero_ps()}; }
  static KOKKOS_FORCEINLINE_FUNCTION PairSums load(const float* const from) { return {_mm512_loadu_ps(from)}; }
  KOKKOS_FORCEINLINE_FUNCTION void store(float* const to) const { _mm512_storeu_ps(to, value); }

  /// this = this + a.second b.second + a.first b.first
  KOKKOS_FORCEINLINE_FUNCTION void add(const PairRow& a, const PairRow& b) {
    value = _mm512_dpbf16_ps(value, std::bit_cast<__m512bh>(a.bits), std::bit_cast<__m512bh>(b.bits));
  }

  __m512 value;
};

/// to[i] = value(i), rounded.
KOKKOS_FORCEINLINE_FUNCTION void store_rounded(const Lanes<float>& value, Bf16* const to) {
  const auto rounded = std::bit_cast<__m256i>(_mm512_cvtneps_pbh(std::bit_cast<__m512>(value)));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), rounded);
}

/// to[2 i], to[2 i + 1] = first(i), second(i), rounded.
KOKKOS_FORCEINLINE_FUNCTION void store_pairs(const Lanes<float>& first, const Lanes<float>& second, Bf16* const to) {
  const __m512i in_turn = _mm512_set_epi16(31, 15, 30, 14, 29, 13, 28, 12, 27, 11, 26, 10, 25, 9, 24, 8, 23, 7, 22, 6,
                                           21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0);
  const auto rounded =
      std::bit_cast<__m512i>(_mm512_cvtne2ps_pbh(std::bit_cast<__m512>(second), std::bit_cast<__m512>(first)));
  _mm512_storeu_si512(to, _mm512_permutexvar_epi16(in_turn, rounded));
}

#else

KOKKOS_INLINE_FUNCTION Bf16 rounded(const float value) {
  const auto bits = Kokkos::bit_cast<std::uint32_t>(value);
  const std::uint32_t exponent = bits & 0x7f800000u;
  if (exponent == 0) return {static_cast<std::uint16_t>((bits & 0x80000000u) >> 16)};
  if (exponent == 0x7f800000u)  // infinite, or no number: that stays none
    return {static_cast<std::uint16_t>(bits >> 16 | ((bits & 0x007fffffu) != 0 ? 0x40u : 0u))};
  return {static_cast<std::uint16_t>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16)};
}

class PairRow {
 public:
  static KOKKOS_INLINE_FUNCTION PairRow load(const Bf16* const from) {
    PairRow row;
    std::memcpy(row.pair, from, sizeof(row.pair));
    return row;
  }
  static KOKKOS_INLINE_FUNCTION PairRow repeat(const Bf16* const pair) {
    PairRow row;
    for (auto& both : row.pair) std::memcpy(both, pair, sizeof(both));
    return row;
  }

  Bf16 pair[channel_block<float>][2];
};

class PairSums {
 public:
  static KOKKOS_INLINE_FUNCTION PairSums zero() { return PairSums{}; }
  static KOKKOS_INLINE_FUNCTION PairSums load(const float* const from) {
    PairSums sums;
    std::memcpy(sums.value, from, sizeof(sums.value));
    return sums;
  }
  KOKKOS_INLINE_FUNCTION void store(float* const to) const { std::memcpy(to, value, sizeof(value)); }

  KOKKOS_INLINE_FUNCTION void add(const PairRow& a, const PairRow& b) {
    const auto real = [](const Bf16 x) { return Kokkos::bit_cast<float>(std::uint32_t(x.bits) << 16); };
    for (int i = 0; i < channel_block<float>; ++i)
      for (int k = 1; k >= 0; --k) value[i] = Kokkos::fma(real(a.pair[i][k]), real(b.pair[i][k]), value[i]);
  }

  float value[channel_block<float>] = {};
};

KOKKOS_INLINE_FUNCTION void store_rounded(const Lanes<float>& value, Bf16* const to) {
  float values[channel_block<float>];
  value.store(values);
  for (int i = 0; i < channel_block<float>; ++i) to[i] = rounded(values[i]);
}

KOKKOS_INLINE_FUNCTION void store_pairs(const Lanes<float>& first, const Lanes<float>& second, Bf16* const to) {
  float values[2][channel_block<float>];
  first.store(values[0]);
  second.store(values[1]);
  for (int i = 0; i < channel_block<float>; ++i)
    for (int k = 0; k < 2; ++k) to[2 * i + k] = rounded(values[k][i]);
}

#endif

/// Neighbouring channels, computed in float and rounded where they are stored: pairs as they lie. The interface of
/// Lanes.
struct RoundedLanes {
  Lanes<float> value;

  static KOKKOS_FORCEINLINE_FUNCTION RoundedLanes load(const float* const from) { return {Lanes<float>::load(from)}; }
  KOKKOS_FORCEINLINE_FUNCTION void store(Bf16* const to) const { store_rounded(value, to); }
  friend KOKKOS_FORCEINLINE_FUNCTION RoundedLanes operator+(const RoundedLanes& a, const RoundedLanes& b) {
    return {a.value + b.value};
  }
  friend KOKKOS_FORCEINLINE_FUNCTION RoundedLanes operator-(const RoundedLanes& a, const RoundedLanes& b) {
    return {a.value - b.value};
  }
};

/// The same place of two.
template <class T>
struct TwoPlaces {
  const T* first;
  const T* second;

  KOKKOS_FORCEINLINE_FUNCTION TwoPlaces operator+(const std::ptrdiff_t step) const {
    return {first + step, second + step};
  }
};

/// The same channels of two, stored as pairs. The interface of Lanes.
struct PairedLanes {
  Lanes<float> first;
  Lanes<float> second;

  static KOKKOS_FORCEINLINE_FUNCTION PairedLanes load(const TwoPlaces<float>& from) {
    return {Lanes<float>::load(from.first), Lanes<float>::load(from.second)};
  }
  KOKKOS_FORCEINLINE_FUNCTION PairedLanes halved() const { return {first.halved(), second.halved()}; }
  KOKKOS_FORCEINLINE_FUNCTION void store(Bf16* const to) const { store_pairs(first, second, to); }
  friend KOKKOS_FORCEINLINE_FUNCTION PairedLanes operator+(const PairedLanes& a, const PairedLanes& b) {
    return {a.first + b.first, a.second + b.second};
  }
  friend KOKKOS_FORCEINLINE_FUNCTION PairedLanes operator-(const PairedLanes& a, const PairedLanes& b) {
    return {a.first - b.first, a.second - b.second};
  }
};

}  // namespace impl
}  // namespace bcr::kernels

#endif
