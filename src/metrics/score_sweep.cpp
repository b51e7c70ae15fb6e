#include "src/metrics/score_sweep.hpp"

#include "src/core/host_tasks.hpp"
#include "src/metrics/radix_sort.hpp"
#include "src/metrics/score_words.hpp"

#include <utility>
#include <vector>

namespace bcr::metrics {

namespace {

/// A part of one run of sorted words, with what was counted in it and, later, before it.
struct Part {
  IndexRange range;
  const ScoreWords::Run* run = nullptr;
  std::int32_t groups = 0;
  std::int32_t known = 0;
  std::int32_t correct = 0;
};

/// 1 if the word is the last of its group of equal scores.
std::int32_t ends_group(const ScoreWords& sorted, const Part& part, const std::size_t i) {
  return i + 1 == part.run->range.end || (sorted.words[i] >> 2) != (sorted.words[i + 1] >> 2) ? 1 : 0;
}

std::vector<Part> cut_into_parts(const ScoreWords& sorted) {
  std::vector<Part> parts;
  for (const auto& run : sorted.runs) {
    for (std::size_t i = 0; i < parts_in(run.range.size(), task_length); ++i) {
      const IndexRange local = part_of(run.range.size(), task_length, i);
      parts.push_back({{run.range.begin + local.begin, run.range.begin + local.end}, &run});
    }
  }
  return parts;
}

void count(const ScoreWords& sorted, Part& part) {
  std::int32_t groups = 0;
  std::uint64_t known = 0;
  std::uint64_t correct = 0;
  for (std::size_t i = part.range.begin; i < part.range.end; ++i) {
    groups += ends_group(sorted, part, i);
    known += sorted.words[i] & 1;
    correct += (sorted.words[i] >> 1) & 1;
  }
  part.groups = groups;
  part.known = static_cast<std::int32_t>(known);
  part.correct = static_cast<std::int32_t>(correct);
}

}  // namespace

ScoreSweep::ScoreSweep(const OpenSetScores<float>& scores) {
  build(scores);
}

ScoreSweep::ScoreSweep(const OpenSetScores<double>& scores) {
  build(scores);
}

void ScoreSweep::allocate(const std::size_t groups) {
  groups_ = groups;
  // Not initialised: the threads that fill the arrays touch their pages first.
  thresholds_ = std::make_unique_for_overwrite<double[]>(groups);
  known_above_ = std::make_unique_for_overwrite<std::int32_t[]>(groups + 1);
  correct_above_ = std::make_unique_for_overwrite<std::int32_t[]>(groups + 1);
  unknown_above_ = std::make_unique_for_overwrite<std::int32_t[]>(groups + 1);
  known_above_[0] = correct_above_[0] = unknown_above_[0] = 0;
}

template <class T>
void ScoreSweep::build(const OpenSetScores<T>& scores) {
  ScoreWords sorted = make_score_words(scores);
  {
    const auto scratch = std::make_unique_for_overwrite<std::uint64_t[]>(scores.known.size() + scores.unknown.size());
    for (const auto& run : sorted.runs) {
      radix_sort({sorted.words.get() + run.range.begin, run.range.size()}, {scratch.get(), run.range.size()});
    }
  }
  std::vector<Part> parts = cut_into_parts(sorted);
  for_each_task("bcr::metrics::score_sweep::count", parts.size(),
                [&](const std::size_t i) { count(sorted, parts[i]); });
  std::int32_t groups = 0;
  for (Part& part : parts) {
    groups += std::exchange(part.groups, groups);
    known_ += std::exchange(part.known, known_);
    correct_ += std::exchange(part.correct, correct_);
  }
  unknown_ = static_cast<std::int32_t>(scores.unknown.size());
  allocate(static_cast<std::size_t>(groups));
  for_each_task("bcr::metrics::score_sweep::fill", parts.size(), [&](const std::size_t task) {
    const Part& part = parts[task];
    auto group = static_cast<std::size_t>(part.groups);
    std::int32_t known_so_far = part.known;
    std::int32_t correct_so_far = part.correct;
    for (std::size_t i = part.range.begin; i < part.range.end; ++i) {
      const std::uint64_t word = sorted.words[i];
      known_so_far += static_cast<std::int32_t>(word & 1);
      correct_so_far += static_cast<std::int32_t>((word >> 1) & 1);
      if (ends_group(sorted, part, i) == 0) continue;
      thresholds_[group] = sorted.score(word, *part.run);
      ++group;
      known_above_[group] = known_so_far;
      correct_above_[group] = correct_so_far;
      unknown_above_[group] = static_cast<std::int32_t>(i + 1) - known_so_far;
    }
  });
}

}  // namespace bcr::metrics
