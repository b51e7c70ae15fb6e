#ifndef BCR_KERNELS_NORM_PHILOX_BLOCKS_HPP
#define BCR_KERNELS_NORM_PHILOX_BLOCKS_HPP

#include "src/core/philox.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

#if defined(__AVX2__) && !defined(__CUDACC__)
#define BCR_PHILOX_AVX2
#include <immintrin.h>
#endif

namespace bcr::kernels {

/// Counter words 0 and 1 of item `block` of a Random (src/core/random.hpp), whose first block alone is used here.
KOKKOS_INLINE_FUNCTION constexpr std::uint32_t philox_low(const std::uint64_t block) {
  return static_cast<std::uint32_t>(block);
}
KOKKOS_INLINE_FUNCTION constexpr std::uint32_t philox_high(const std::uint64_t block) {
  return static_cast<std::uint32_t>(block >> 32) << 16;
}

/// Philox blocks that a host computes side by side.
inline constexpr int philox_batch = 16;

/// halves[8 l + i] = half-word i, the low half of a word first, of philox4x32({low(block + l), high(block + l), step,
/// stream}, key), l < philox_batch. Plain loops.
inline void philox_blocks_portable(const std::uint64_t block, const std::uint32_t step, const std::uint32_t stream,
                                   PhiloxKey key, std::uint16_t* const halves) {
  std::uint32_t a[philox_batch], b[philox_batch], c[philox_batch], d[philox_batch];
  for (int l = 0; l < philox_batch; ++l) {
    a[l] = philox_low(block + l);
    b[l] = philox_high(block + l);
    c[l] = step;
    d[l] = stream;
  }
  for (int round = 0; round < 10; ++round) {
#pragma omp simd
    for (int l = 0; l < philox_batch; ++l) {
      const std::uint64_t p = std::uint64_t{0xD2511F53} * a[l];
      const std::uint64_t q = std::uint64_t{0xCD9E8D57} * c[l];
      a[l] = static_cast<std::uint32_t>(q >> 32) ^ b[l] ^ key[0];
      c[l] = static_cast<std::uint32_t>(p >> 32) ^ d[l] ^ key[1];
      b[l] = static_cast<std::uint32_t>(q);
      d[l] = static_cast<std::uint32_t>(p);
    }
    key = {key[0] + 0x9E3779B9u, key[1] + 0xBB67AE85u};
  }
  for (int l = 0; l < philox_batch; ++l) {
    const std::uint32_t words[4] = {a[l], b[l], c[l], d[l]};
    for (int i = 0; i < 8; ++i) halves[8 * l + i] = static_cast<std::uint16_t>(words[i / 2] >> (i % 2 * 16));
  }
}

#ifdef BCR_PHILOX_AVX2

/// The same with one block per 64-bit lane. A product reads the low half of a lane only, so the high halves may hold
/// what they like and a round is eight instructions; from plain loops compilers make three times as many.
inline void philox_blocks(const std::uint64_t block, const std::uint32_t step, const std::uint32_t stream,
                          PhiloxKey key, std::uint16_t* const halves) {
  constexpr int groups = philox_batch / 4;
  const auto lanes = [](const std::uint64_t value) { return _mm256_set1_epi64x(static_cast<long long>(value)); };
  __m256i a[groups], b[groups], c[groups], d[groups];
#pragma GCC unroll 4
  for (int g = 0; g < groups; ++g) {
    a[g] = _mm256_add_epi64(lanes(block + 4 * g), _mm256_set_epi64x(3, 2, 1, 0));
    b[g] = _mm256_slli_epi64(_mm256_srli_epi64(a[g], 32), 16);
    c[g] = lanes(step);
    d[g] = lanes(stream);
  }
#pragma GCC unroll 10
  for (int round = 0; round < 10; ++round) {
    const __m256i key0 = lanes(key[0]);
    const __m256i key1 = lanes(key[1]);
#pragma GCC unroll 4
    for (int g = 0; g < groups; ++g) {
      const __m256i p = _mm256_mul_epu32(a[g], lanes(0xD2511F53));
      const __m256i q = _mm256_mul_epu32(c[g], lanes(0xCD9E8D57));
      a[g] = _mm256_xor_si256(_mm256_srli_epi64(q, 32), _mm256_xor_si256(b[g], key0));
      c[g] = _mm256_xor_si256(_mm256_srli_epi64(p, 32), _mm256_xor_si256(d[g], key1));
      b[g] = q;
      d[g] = p;
    }
    key = {key[0] + 0x9E3779B9u, key[1] + 0xBB67AE85u};
  }
#pragma GCC unroll 4
  for (int g = 0; g < groups; ++g) {  // lanes [a b] and [c d] of four blocks, then block after block
    const __m256i low = _mm256_blend_epi32(a[g], _mm256_slli_epi64(b[g], 32), 0xAA);
    const __m256i high = _mm256_blend_epi32(c[g], _mm256_slli_epi64(d[g], 32), 0xAA);
    const __m256i even = _mm256_unpacklo_epi64(low, high);
    const __m256i odd = _mm256_unpackhi_epi64(low, high);
    __m256i* const to = reinterpret_cast<__m256i*>(halves + 32 * g);
    _mm256_storeu_si256(to, _mm256_permute2x128_si256(even, odd, 0x20));
    _mm256_storeu_si256(to + 1, _mm256_permute2x128_si256(even, odd, 0x31));
  }
}
#undef BCR_PHILOX_AVX2

#else

inline void philox_blocks(const std::uint64_t block, const std::uint32_t step, const std::uint32_t stream,
                          const PhiloxKey key, std::uint16_t* const halves) {
  philox_blocks_portable(block, step, stream, key, halves);
}

#endif

}  // namespace bcr::kernels

#endif
