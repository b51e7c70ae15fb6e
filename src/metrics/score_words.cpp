#include "src/metrics/score_words.hpp"

#include "src/core/error.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

namespace bcr::metrics {

namespace {

constexpr std::size_t run_count = 4;
constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

struct KeyRange {
  std::uint64_t least = ~std::uint64_t{0};
  std::uint64_t greatest = 0;
  std::uint64_t all_and = ~std::uint64_t{0};
  std::uint64_t all_or = 0;
  std::size_t first_nan = nowhere;
  std::size_t first_bad_flag = nowhere;

  void include(const KeyRange& range) {
    least = std::min(least, range.least);
    greatest = std::max(greatest, range.greatest);
    all_and &= range.all_and;
    all_or |= range.all_or;
    first_nan = std::min(first_nan, range.first_nan);
    first_bad_flag = std::min(first_bad_flag, range.first_bad_flag);
  }
};

/// One view over known and unknown samples: index i < known.size() is a known one.
template <class T>
struct Samples {
  OpenSetScores<T> scores;

  std::size_t size() const { return scores.known.size() + scores.unknown.size(); }
  bool is_known(const std::size_t i) const { return i < scores.known.size(); }
  double score(const std::size_t i) const {
    return static_cast<double>(is_known(i) ? scores.known[i] : scores.unknown[i - scores.known.size()]);
  }
  std::uint64_t kind(const std::size_t i) const {
    if (!is_known(i)) return static_cast<std::uint64_t>(SampleKind::unknown);
    return (std::uint64_t{scores.correct[i]} << 1) | std::uint64_t{1};
  }
};

template <class T>
KeyRange range_of(const Samples<T>& samples, const IndexRange part) {
  KeyRange range;
  bool has_nan = false;
  std::uint8_t flags = 0;
  for (std::size_t i = part.begin; i < part.end; ++i) {
    const double score = samples.score(i);
    const std::uint64_t key = order_key(score);
    has_nan |= score != score;
    flags |= samples.is_known(i) ? samples.scores.correct[i] : std::uint8_t{0};
    range.least = std::min(range.least, key);
    range.greatest = std::max(range.greatest, key);
    range.all_and &= key;
    range.all_or |= key;
  }
  for (std::size_t i = part.begin; has_nan && i < part.end && range.first_nan == nowhere; ++i) {
    if (samples.score(i) != samples.score(i)) range.first_nan = i;
  }
  for (std::size_t i = part.begin; flags > 1 && i < part.end && range.first_bad_flag == nowhere; ++i) {
    if (samples.is_known(i) && samples.scores.correct[i] > 1) range.first_bad_flag = i;
  }
  return range;
}

template <class T>
KeyRange range_of_all(const Samples<T>& samples) {
  std::vector<KeyRange> parts(parts_in(samples.size(), task_length));
  for_each_task("bcr::metrics::score_words::range", parts.size(), [&](const std::size_t task) {
    parts[task] = range_of(samples, part_of(samples.size(), task_length, task));
  });
  KeyRange total;
  for (const KeyRange& part : parts) total.include(part);
  return total;
}

template <class T>
void check_lengths(const OpenSetScores<T>& scores) {
  if (scores.known.size() != scores.correct.size()) {
    throw ShapeError("ScoreSweep", "one correctness flag per known score (" + std::to_string(scores.known.size()) + ")",
                     std::to_string(scores.correct.size()) + " flags");
  }
  const auto most = static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max());
  if (scores.known.size() > most || scores.unknown.size() > most - scores.known.size()) {
    throw ShapeError("ScoreSweep", "fewer than 2^31 samples",
                     std::to_string(scores.known.size()) + " known and " + std::to_string(scores.unknown.size()) +
                         " unknown samples");
  }
}

template <class T>
void check_values(const KeyRange& range, const Samples<T>& samples) {
  if (range.first_nan != nowhere) {
    const bool known = samples.is_known(range.first_nan);
    const std::size_t index = known ? range.first_nan : range.first_nan - samples.scores.known.size();
    throw NumericsError(
        "ScoreSweep", "scores that are numbers",
        "NaN at index " + std::to_string(index) + " of the " + (known ? "known" : "unknown") + " scores");
  }
  if (range.first_bad_flag != nowhere) {
    throw ShapeError("ScoreSweep", "correctness flags 0 or 1",
                     std::to_string(samples.scores.correct[range.first_bad_flag]) + " at index " +
                         std::to_string(range.first_bad_flag));
  }
}

/// Where each part of the samples writes its words of each run: runs one after the other, parts in order inside.
template <class T>
std::vector<std::array<std::size_t, run_count>> run_places(const Samples<T>& samples, const std::uint64_t least_key,
                                                           ScoreWords& result) {
  std::vector<std::array<std::size_t, run_count>> places(parts_in(samples.size(), task_length));
  if ((result.greatest_key - least_key) >> result.dropped_bits >> 62 == 0) {  // the usual case: one run
    for (std::size_t part = 0; part < places.size(); ++part) places[part][0] = part * task_length;
    result.runs.push_back({{0, samples.size()}, 0});
    return places;
  }
  for_each_task("bcr::metrics::score_words::count", places.size(), [&](const std::size_t task) {
    const IndexRange part = part_of(samples.size(), task_length, task);
    std::array<std::size_t, run_count> count{};
    for (std::size_t i = part.begin; i < part.end; ++i) {
      ++count[(result.greatest_key - order_key(samples.score(i))) >> result.dropped_bits >> 62];
    }
    places[task] = count;
  });
  std::size_t place = 0;
  for (std::size_t run = 0; run < run_count; ++run) {
    const std::size_t begin = place;
    for (auto& part : places) place += std::exchange(part[run], place);
    if (place > begin) result.runs.push_back({{begin, place}, std::uint64_t{run} << 62});
  }
  return places;
}

}  // namespace

template <class T>
ScoreWords make_score_words(const OpenSetScores<T>& scores) {
  check_lengths(scores);
  const Samples<T> samples{scores};
  const KeyRange range = range_of_all(samples);
  check_values(range, samples);

  ScoreWords result;
  if (samples.size() == 0) return result;
  result.words = std::make_unique_for_overwrite<std::uint64_t[]>(samples.size());
  result.greatest_key = range.greatest;
  const std::uint64_t differing = range.all_and ^ range.all_or;
  result.dropped_bits = differing == 0 ? 0 : std::countr_zero(differing);

  auto places = run_places(samples, range.least, result);
  for_each_task("bcr::metrics::score_words::write", places.size(), [&](const std::size_t task) {
    const IndexRange part = part_of(samples.size(), task_length, task);
    std::array<std::size_t, run_count> next = places[task];
    for (std::size_t i = part.begin; i < part.end; ++i) {
      const std::uint64_t distance = (result.greatest_key - order_key(samples.score(i))) >> result.dropped_bits;
      result.words[next[distance >> 62]++] = (distance << 2) | samples.kind(i);
    }
  });
  return result;
}

template ScoreWords make_score_words<float>(const OpenSetScores<float>&);
template ScoreWords make_score_words<double>(const OpenSetScores<double>&);

}  // namespace bcr::metrics
