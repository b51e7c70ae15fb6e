#ifndef BCR_SRC_CORE_RANDOM_HPP
#define BCR_SRC_CORE_RANDOM_HPP

#include "src/core/philox.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <string_view>
#include <type_traits>

namespace bcr {

/// What random numbers are for: "shuffle", "augment", "init/conv1.weight", ... Different uses draw from different
/// streams, so that adding one does not move the others. The number is FNV-1a of the name, its bits mixed once more.
struct Stream {
  std::uint32_t id;

  constexpr explicit Stream(const std::string_view name) : id(2166136261u) {
    for (const char letter : name) id = (id ^ static_cast<unsigned char>(letter)) * 16777619u;
    id = (id ^ (id >> 16)) * 0x85EBCA6Bu;
    id = (id ^ (id >> 13)) * 0xC2B2AE35u;
    id ^= id >> 16;
  }
};

/// The random numbers of one item. Every number of a run is a function of
///
///   (seed, stream, epoch, index, draw)
///
/// and of nothing else: no generator is advanced by its neighbours, hence no thread, rank or device count can change a
/// draw, and a resumed run needs no saved state. The five fill Philox without overlap:
///
///   key        word 0: seed, low half         word 1: seed, high half
///   counter    word 0: index, low 32 bits     word 1: index, bits 32..47 (high half) | block of four draws (low half)
///              word 2: epoch                  word 3: stream
///
/// so index < 2^48, and an item has 2^18 words. Build one inside a kernel, draw, and forget it.
class Random {
 public:
  KOKKOS_INLINE_FUNCTION constexpr Random(const std::uint64_t seed, const Stream stream, const std::uint32_t epoch,
                                          const std::uint64_t index)
      : key_{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)},
        counter_{static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32) << 16, epoch, stream.id},
        words_{} {}

  /// 32 random bits.
  KOKKOS_INLINE_FUNCTION constexpr std::uint32_t word() {
    if (used_ == 4) {
      words_ = philox4x32(counter_, key_);
      ++counter_[1];
      used_ = 0;
    }
    return words_[used_++];
  }

  /// 64 random bits: the first word drawn is the low half.
  KOKKOS_INLINE_FUNCTION constexpr std::uint64_t word64() {
    const std::uint64_t low = word();
    return low | static_cast<std::uint64_t>(word()) << 32;
  }

  /// Uniform in [0, 1): k 2^-24 from one word for float, k 2^-53 from two for double. Exact on every device.
  template <class T>
  KOKKOS_INLINE_FUNCTION constexpr T uniform() {
    static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>, "uniform is for float and double");
    if constexpr (std::is_same_v<T, float>) {
      return static_cast<float>(word() >> 8) * 0x1p-24f;
    } else {
      return static_cast<double>(word64() >> 11) * 0x1p-53;
    }
  }

  /// Uniform in (0, 1], for a logarithm: (k + 1) 2^-24 or (k + 1) 2^-53.
  template <class T>
  KOKKOS_INLINE_FUNCTION constexpr T uniform_above_zero() {
    static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>, "uniform is for float and double");
    if constexpr (std::is_same_v<T, float>) {
      return static_cast<float>((word() >> 8) + 1) * 0x1p-24f;
    } else {
      return static_cast<double>((word64() >> 11) + 1) * 0x1p-53;
    }
  }

  /// Uniform in {0, ..., bound - 1}, without bias; bound 0 gives 0.
  /// Up to 2^32 by Lemire's multiplication (Fast random integer generation in an interval, 2019): the high word of
  /// word * bound, where the 2^32 mod bound lowest products are drawn again. Above, by rejection under a bit mask.
  KOKKOS_INLINE_FUNCTION constexpr std::uint64_t below(const std::uint64_t bound) {
    if (bound <= 1) return 0;
    if (bound > (std::uint64_t{1} << 32)) return below_by_mask(bound);
    std::uint64_t product = word() * bound;
    // 2^32 mod bound < bound, so the division is needed only if the low word is that small.
    if (static_cast<std::uint32_t>(product) < bound) {
      const std::uint64_t rejected = (std::uint64_t{1} << 32) % bound;
      while (static_cast<std::uint32_t>(product) < rejected) product = word() * bound;
    }
    return product >> 32;
  }

 private:
  KOKKOS_INLINE_FUNCTION constexpr std::uint64_t below_by_mask(const std::uint64_t bound) {
    std::uint64_t mask = bound - 1;
    for (int shift = 1; shift < 64; shift *= 2) mask |= mask >> shift;
    std::uint64_t candidate = word64() & mask;
    while (candidate >= bound) candidate = word64() & mask;
    return candidate;
  }

  PhiloxKey key_;
  PhiloxCounter counter_;
  PhiloxCounter words_;
  std::uint32_t used_ = 4;
};

/// A random order of {0, ..., size - 1}: permutation(i) is the item at place i, found without a table in O(1), on host
/// and device alike. A Feistel network over the smallest 2^bits >= size (at least 2^6), halves alternately masked by a
/// hash of the other, is a bijection of 2^bits; a result outside is sent through again until it falls inside
/// (cycle walking), which leaves a bijection of the size items. Sizes up to 2^63.
class Permutation {
 public:
  KOKKOS_INLINE_FUNCTION constexpr Permutation(const std::uint64_t size, const std::uint64_t seed, const Stream stream,
                                               const std::uint32_t epoch)
      : size_(size), keys_{} {
    int bits = 6;
    while ((std::uint64_t{1} << bits) < size) ++bits;
    low_bits_ = bits / 2;
    low_mask_ = static_cast<std::uint32_t>((std::uint64_t{1} << low_bits_) - 1);
    high_mask_ = static_cast<std::uint32_t>((std::uint64_t{1} << (bits - low_bits_)) - 1);
    // The last index, which no item has, so an item of the same stream draws other words.
    Random random(seed, stream, epoch, (std::uint64_t{1} << 48) - 1);
    for (int round = 0; round < rounds; ++round) keys_[round] = random.word();
  }

  KOKKOS_INLINE_FUNCTION constexpr std::uint64_t size() const { return size_; }

  /// Requires place < size().
  KOKKOS_INLINE_FUNCTION constexpr std::uint64_t operator()(const std::uint64_t place) const {
    std::uint64_t item = encrypt(place);
    while (item >= size_) item = encrypt(item);
    return item;
  }

 private:
  static constexpr int rounds = 10;

  KOKKOS_INLINE_FUNCTION constexpr std::uint64_t encrypt(const std::uint64_t block) const {
    std::uint32_t low = static_cast<std::uint32_t>(block) & low_mask_;
    std::uint32_t high = static_cast<std::uint32_t>(block >> low_bits_) & high_mask_;
    for (int round = 0; round < rounds; round += 2) {
      high ^= hash(low, keys_[round]) & high_mask_;
      low ^= hash(high, keys_[round + 1]) & low_mask_;
    }
    return static_cast<std::uint64_t>(high) << low_bits_ | low;
  }

  // A keyed mixer of 32 bits. The key enters twice, so that it is more than an offset of the argument; the high bits,
  // the best mixed ones, are folded down for small halves.
  KOKKOS_INLINE_FUNCTION static constexpr std::uint32_t hash(std::uint32_t x, const std::uint32_t key) {
    x = (x ^ key) * 0x85EBCA6Bu;
    x = ((x ^ (x >> 15)) + key) * 0xC2B2AE35u;
    return x ^ (x >> 16);
  }

  std::uint64_t size_;
  int low_bits_ = 0;
  std::uint32_t low_mask_ = 0;
  std::uint32_t high_mask_ = 0;
  Kokkos::Array<std::uint32_t, rounds> keys_;
};

}  // namespace bcr

#endif
