#include "src/metrics/radix_sort.hpp"

#include "src/core/error.hpp"
#include "src/core/host_tasks.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace bcr::metrics {

namespace {

using Word = std::uint64_t;

constexpr std::size_t cache_piece = std::size_t{1}
                                    << 17;  // 1 MiB and its twin stay in a core's share of the last cache
constexpr std::size_t split_chunk = std::size_t{1} << 17;  // unit of parallel work inside a split
constexpr std::size_t compare_piece = 96;                  // below this, comparisons beat counting
constexpr int split_bits = 11;
constexpr int widest_digit = 11;
constexpr std::size_t split_buckets = std::size_t{1} << split_bits;

enum class Wanted { here, in_twin };

constexpr Wanted other(const Wanted wanted) {
  return wanted == Wanted::here ? Wanted::in_twin : Wanted::here;
}

/// Words that lie at `now`; the sorted result is wanted there or at `twin`, the same places of the other array.
struct Piece {
  Word* now = nullptr;
  Word* twin = nullptr;
  std::size_t size = 0;
  Wanted wanted = Wanted::here;
};

struct WordRange {
  Word least = ~Word{0};
  Word greatest = 0;

  void include(const Word word) {
    least = std::min(least, word);
    greatest = std::max(greatest, word);
  }
  void include(const WordRange& range) {
    least = std::min(least, range.least);
    greatest = std::max(greatest, range.greatest);
  }
};

void deliver(const Piece& piece) {
  if (piece.wanted == Wanted::in_twin) std::copy_n(piece.now, piece.size, piece.twin);
}

WordRange range_of(const Piece& piece) {
  WordRange range;
  for (std::size_t i = 0; i < piece.size; ++i) range.include(piece.now[i]);
  return range;
}

/// Least-significant-digit sort of the bits in which the words differ. Digits that are equal in all words cost no pass.
void sort_by_digits(Piece piece, const int bits) {
  const int widest = piece.size < 2048 ? 8 : widest_digit;
  const int passes = (bits + widest - 1) / widest;
  const int digit_bits = (bits + passes - 1) / passes;
  const Word mask = (Word{1} << digit_bits) - 1;
  std::array<std::uint32_t, std::size_t{1} << widest_digit> places{};
  for (int pass = 0; pass < passes; ++pass) {
    const int shift = pass * digit_bits;
    std::fill_n(places.begin(), mask + 1, 0u);
    for (std::size_t i = 0; i < piece.size; ++i) ++places[(piece.now[i] >> shift) & mask];
    if (places[(piece.now[0] >> shift) & mask] == piece.size) continue;
    std::exclusive_scan(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(mask + 1), places.begin(), 0u);
    for (std::size_t i = 0; i < piece.size; ++i) {
      const Word word = piece.now[i];
      piece.twin[places[(word >> shift) & mask]++] = word;
    }
    std::swap(piece.now, piece.twin);
    piece.wanted = other(piece.wanted);
  }
  deliver(piece);
}

void sort_in_cache(const Piece& piece) {
  if (piece.size <= compare_piece) {
    std::sort(piece.now, piece.now + piece.size);
    return deliver(piece);
  }
  const WordRange range = range_of(piece);
  if (range.least == range.greatest) return deliver(piece);
  sort_by_digits(piece, std::bit_width(range.least ^ range.greatest));
}

WordRange range_on_all_threads(const Piece& piece) {
  std::vector<WordRange> ranges(parts_in(piece.size, split_chunk));
  for_each_task("bcr::metrics::radix_sort::range", ranges.size(), [&](const std::size_t task) {
    const IndexRange part = part_of(piece.size, split_chunk, task);
    WordRange range;
    for (std::size_t i = part.begin; i < part.end; ++i) range.include(piece.now[i]);
    ranges[task] = range;
  });
  WordRange total;
  for (const WordRange& range : ranges) total.include(range);
  return total;
}

/// Moves the words to the twin array, ordered by their highest `split_bits` above the least word, and appends the
/// buckets to `buckets`. Each part of the piece writes to places of its own, found by a prefix sum over all parts.
void split(const Piece& piece, std::vector<Piece>& buckets) {
  const WordRange range = range_on_all_threads(piece);
  const int width = std::bit_width(range.greatest - range.least);
  if (width == 0) return deliver(piece);
  const int shift = std::max(0, width - split_bits);
  const std::size_t parts = parts_in(piece.size, split_chunk);
  std::vector<std::size_t> places(parts * split_buckets, 0);
  for_each_task("bcr::metrics::radix_sort::count", parts, [&](const std::size_t task) {
    const IndexRange part = part_of(piece.size, split_chunk, task);
    std::size_t* const count = places.data() + task * split_buckets;
    for (std::size_t i = part.begin; i < part.end; ++i) ++count[(piece.now[i] - range.least) >> shift];
  });

  std::size_t place = 0;
  for (std::size_t bucket = 0; bucket < split_buckets; ++bucket) {
    const std::size_t begin = place;
    for (std::size_t part = 0; part < parts; ++part) {
      place += std::exchange(places[part * split_buckets + bucket], place);
    }
    if (place == begin) continue;
    buckets.push_back({piece.twin + begin, piece.now + begin, place - begin, other(piece.wanted)});
  }

  for_each_task("bcr::metrics::radix_sort::move", parts, [&](const std::size_t task) {
    const IndexRange part = part_of(piece.size, split_chunk, task);
    std::size_t* const next = places.data() + task * split_buckets;
    for (std::size_t i = part.begin; i < part.end; ++i) {
      const Word word = piece.now[i];
      piece.twin[next[(word - range.least) >> shift]++] = word;
    }
  });
}

}  // namespace

void radix_sort(const std::span<std::uint64_t> words, const std::span<std::uint64_t> scratch) {
  require<ShapeError>(words.size() == scratch.size(), "radix_sort", "scratch as long as words", "another length");
  std::vector<Piece> waiting{{words.data(), scratch.data(), words.size(), Wanted::here}};
  std::vector<Piece> small;
  while (!waiting.empty()) {
    const Piece piece = waiting.back();
    waiting.pop_back();
    if (piece.size <= cache_piece) {
      small.push_back(piece);
    } else {
      split(piece, waiting);
    }
  }

  // Neighbouring pieces form one task of this size at least, so that thousands of tiny ones cost no scheduling.
  constexpr std::size_t task_size = std::size_t{1} << 14;
  std::vector<std::size_t> starts{0};
  std::size_t gathered = 0;
  for (std::size_t i = 0; i < small.size(); ++i) {
    gathered += small[i].size;
    if (gathered < task_size && i + 1 < small.size()) continue;
    starts.push_back(i + 1);
    gathered = 0;
  }
  for_each_task("bcr::metrics::radix_sort::finish", starts.size() - 1, [&](const std::size_t task) {
    for (std::size_t i = starts[task]; i < starts[task + 1]; ++i) sort_in_cache(small[i]);
  });
}

}  // namespace bcr::metrics
