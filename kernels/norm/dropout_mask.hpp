#ifndef BCR_KERNELS_NORM_DROPOUT_MASK_HPP
#define BCR_KERNELS_NORM_DROPOUT_MASK_HPP

#include "kernels/norm/philox_blocks.hpp"
#include "src/core/error.hpp"
#include "src/core/philox.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace bcr::kernels {

/// Where the elements of a tensor lie in a larger one of which it holds two stretches (the known and the background
/// images of a shard): element e is element e + first of the larger one if e < split, else e + second.
struct ElementNumbers {
  std::uint64_t split = 0;
  std::uint64_t first = 0;
  std::uint64_t second = 0;

  KOKKOS_FUNCTION constexpr std::uint64_t operator()(const std::uint64_t element) const {
    return element + (element < split ? first : second);
  }
};

/// Which elements of a tensor are dropped: a function of these numbers and of the element's flat index in the tensor of
/// the whole batch, so the backward pass, another thread count, another number of shards or a resumed run finds the
/// same ones without a stored mask. rate 0 drops nothing.
struct Dropout {
  double rate = 0;           ///< probability of being dropped, in [0, 1)
  std::uint64_t seed = 0;    ///< of the run
  std::uint32_t stream = 0;  ///< of the layer: Stream("dropout/<layer>").id
  std::uint32_t step = 0;    ///< of the training
  ElementNumbers numbers{};  ///< the default: the tensor is the whole one

  /// The probability in units of 2^-16, rounded down: what the mask really uses.
  constexpr std::uint32_t threshold() const { return static_cast<std::uint32_t>(rate * 0x1p16); }
  constexpr bool active() const { return threshold() > 0; }
  /// What a kept element is multiplied by: 1 / (1 - threshold 2^-16), so the expectation stays exactly what it was.
  constexpr double factor() const { return 1 / (1 - threshold() * 0x1p-16); }
};

/// Throws a ConfigError unless the rate is in [0, 1).
inline void require_dropout(const std::string_view operation, const Dropout& dropout,
                            const Where where = Where::here()) {
  if (dropout.rate >= 0 && dropout.rate < 1) return;
  throw ConfigError(operation, "a dropout rate in [0, 1)", std::to_string(dropout.rate), where);
}

/// The mask in device code. Eight elements share a Philox block, 16 bits for each: element e is kept iff half-word e %
/// 8 (low half first) of the first block of
///
///   Random(seed, stream, step, e / 8)       (src/core/random.hpp)
///
/// is at least threshold(), where e is numbered as Dropout::numbers says. Whole words would cost twice the time and
/// move the rate by less than 2^-16. e < 2^51.
class DropoutMask {
 public:
  explicit DropoutMask(const Dropout& dropout)
      : key_{static_cast<std::uint32_t>(dropout.seed), static_cast<std::uint32_t>(dropout.seed >> 32)},
        step_(dropout.step),
        stream_(dropout.stream),
        threshold_(static_cast<std::uint16_t>(dropout.threshold())),
        numbers_(dropout.numbers) {}

  /// Elements of a block.
  static constexpr int block_elements = 8;
  /// Elements that fill() does at once.
  static constexpr int batch = block_elements * philox_batch;

  KOKKOS_FUNCTION std::uint16_t threshold() const { return threshold_; }

  /// One element.
  KOKKOS_FUNCTION bool keeps(const std::uint64_t element) const { return half_word(element) >= threshold_; }

  /// Bit i: element + i, i < 8. One block if these eight share one, as they do from a multiple of 8 on in a whole tensor.
  KOKKOS_FUNCTION unsigned keeps_eight(const std::uint64_t element) const {
    const std::uint64_t number = numbers_(element);
    unsigned bits = 0;
    if (number % block_elements != 0 || numbers_(element + block_elements - 1) != number + block_elements - 1) {
      for (int i = 0; i < block_elements; ++i) bits |= unsigned(keeps(element + i)) << i;
      return bits;
    }
    const std::uint64_t block = number / block_elements;
    const PhiloxCounter words = philox4x32({philox_low(block), philox_high(block), step_, stream_}, key_);
    for (int i = 0; i < block_elements; ++i)
      bits |= unsigned((words[i / 2] >> (i % 2 * 16) & 0xFFFF) >= threshold_) << i;
    return bits;
  }

  /// Many elements on the host. Returns a pointer into `room` to the half-words of elements element, element + 1, ...,
  /// element + count - 1. room: padded(count) half-words.
  const std::uint16_t* fill(const std::uint64_t element, const int count, std::uint16_t* const room) const {
    if (element < numbers_.split && numbers_.split < element + count) return fill_across(element, count, room);
    const std::uint64_t number = numbers_(element);
    const int skipped = static_cast<int>(number % block_elements);
    std::uint64_t block = number / block_elements;
    for (int done = 0; done < skipped + count; done += batch, block += philox_batch)
      philox_blocks(block, step_, stream_, key_, room + done);
    return room + skipped;
  }

  static constexpr int padded(const int count) { return (count + block_elements - 1 + batch - 1) / batch * batch; }

 private:
  KOKKOS_FUNCTION std::uint32_t half_word(const std::uint64_t element) const {
    const std::uint64_t number = numbers_(element);
    const std::uint64_t block = number / block_elements;
    const PhiloxCounter words = philox4x32({philox_low(block), philox_high(block), step_, stream_}, key_);
    const unsigned place = number % block_elements;
    const std::uint32_t word = place < 2 ? words[0] : place < 4 ? words[1] : place < 6 ? words[2] : words[3];
    return word >> (place % 2 * 16) & 0xFFFF;
  }

  /// Across the split, which happens once in a tensor: one by one.
  const std::uint16_t* fill_across(const std::uint64_t element, const int count, std::uint16_t* const room) const {
    for (int i = 0; i < count; ++i) room[i] = static_cast<std::uint16_t>(half_word(element + i));
    return room;
  }

  PhiloxKey key_;
  std::uint32_t step_;
  std::uint32_t stream_;
  std::uint16_t threshold_;
  ElementNumbers numbers_;
};

}  // namespace bcr::kernels

#endif
