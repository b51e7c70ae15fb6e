#include "src/core/sha256_blocks.hpp"

// SHA-256 by the SHA extensions of x86, compiled for them function by function and used only where the processor says
// that it has them, so the build needs no flag and the program runs everywhere.
#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__)) && !defined(__CUDACC__)

#include <cpuid.h>
#include <immintrin.h>

namespace bcr::impl {

bool has_sha256_x86() {
  constexpr unsigned ssse3 = 1u << 9, sse41 = 1u << 19, sha = 1u << 29;
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & ssse3) == 0 || (c & sse41) == 0) return false;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & sha) != 0;
}

__attribute__((target("sha,sse4.1,ssse3"))) void sha256_blocks_x86(std::array<std::uint32_t, 8>& state,
                                                                   const std::byte* blocks, std::size_t count) {
  const __m128i byte_swap = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  const auto* const constants = reinterpret_cast<const __m128i*>(sha256_constants.data());

  // The instructions hold the state as (f, e, b, a) and (h, g, d, c), lowest word first.
  auto* const memory = reinterpret_cast<__m128i*>(state.data());
  const __m128i badc = _mm_shuffle_epi32(_mm_loadu_si128(memory), 0xB1);
  const __m128i hgfe = _mm_shuffle_epi32(_mm_loadu_si128(memory + 1), 0x1B);
  __m128i abef = _mm_alignr_epi8(badc, hgfe, 8);
  __m128i cdgh = _mm_blend_epi16(hgfe, badc, 0xF0);

  for (; count > 0; --count, blocks += 64) {
    const __m128i abef_before = abef;
    const __m128i cdgh_before = cdgh;
    const auto* const message = reinterpret_cast<const __m128i*>(blocks);
    __m128i w0 = _mm_shuffle_epi8(_mm_loadu_si128(message + 0), byte_swap);
    __m128i w1 = _mm_shuffle_epi8(_mm_loadu_si128(message + 1), byte_swap);
    __m128i w2 = _mm_shuffle_epi8(_mm_loadu_si128(message + 2), byte_swap);
    __m128i w3 = _mm_shuffle_epi8(_mm_loadu_si128(message + 3), byte_swap);
    for (int group = 0; group < 16; ++group) {  // four rounds each; w0 holds their words W(4 group) .. W(4 group + 3)
      const __m128i keyed = _mm_add_epi32(w0, _mm_load_si128(constants + group));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, keyed);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(keyed, 0x0E));
      // W(t) = sigma1(W(t-2)) + W(t-7) + sigma0(W(t-15)) + W(t-16) for the four words sixteen rounds ahead.
      const __m128i partial = _mm_add_epi32(_mm_sha256msg1_epu32(w0, w1), _mm_alignr_epi8(w3, w2, 4));
      w0 = w1, w1 = w2, w2 = w3;
      w3 = _mm_sha256msg2_epu32(partial, w2);
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }

  const __m128i feba = _mm_shuffle_epi32(abef, 0x1B);
  const __m128i dchg = _mm_shuffle_epi32(cdgh, 0xB1);
  _mm_storeu_si128(memory, _mm_blend_epi16(feba, dchg, 0xF0));
  _mm_storeu_si128(memory + 1, _mm_alignr_epi8(dchg, feba, 8));
}

}  // namespace bcr::impl

#else

namespace bcr::impl {

bool has_sha256_x86() {
  return false;
}

void sha256_blocks_x86(std::array<std::uint32_t, 8>& state, const std::byte* const blocks, const std::size_t count) {
  sha256_blocks_portable(state, blocks, count);
}

}  // namespace bcr::impl

#endif
