#ifndef BCR_SRC_METRICS_SCORE_WORDS_HPP
#define BCR_SRC_METRICS_SCORE_WORDS_HPP

#include "src/core/host_tasks.hpp"
#include "src/metrics/score_sweep.hpp"

#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

namespace bcr::metrics {

/// An unsigned integer that orders like the score: positive numbers get their sign bit set, negative ones are
/// complemented, and -0 becomes +0.
constexpr std::uint64_t order_key(const double score) {
  constexpr std::uint64_t sign = std::uint64_t{1} << 63;
  const auto bits = std::bit_cast<std::uint64_t>(score);
  if (bits == sign) return sign;
  return (bits & sign) != 0 ? ~bits : bits | sign;
}

/// The score of an order_key.
constexpr double score_of_key(const std::uint64_t key) {
  constexpr std::uint64_t sign = std::uint64_t{1} << 63;
  return std::bit_cast<double>((key & sign) != 0 ? key & ~sign : ~key);
}

/// The two lowest bits of a word.
enum class SampleKind : std::uint64_t { unknown = 0, known_wrong = 1, known_correct = 3 };

/// Samples as 64-bit words that sort by descending score: (distance of the key from the greatest key) << 2 | kind.
/// Low bits in which no key differs (29 of them, if the scores are floats) are dropped first. A distance of more than
/// 62 bits loses its highest two, so such words are kept in up to four runs, one for each value of those two bits.
struct ScoreWords {
  struct Run {
    IndexRange range;
    std::uint64_t high = 0;  ///< the two highest bits of each distance in the run, in place
  };

  std::unique_ptr<std::uint64_t[]> words;
  std::vector<Run> runs;
  std::uint64_t greatest_key = 0;
  int dropped_bits = 0;

  double score(const std::uint64_t word, const Run& run) const {
    const std::uint64_t distance = (word >> 2) | run.high;
    return score_of_key(greatest_key - (distance << dropped_bits));
  }
};

/// Checks the lengths and looks for NaN, then makes the words, not yet sorted.
template <class T>
ScoreWords make_score_words(const OpenSetScores<T>& scores);

}  // namespace bcr::metrics

#endif
