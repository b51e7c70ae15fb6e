#include "src/train/batches/dataset.hpp"
#include "src/train/open_set_test.hpp"
#include "tests/ranks/ranks.hpp"
#include "tests/support/data_directory.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <numeric>

namespace bcr::test {
namespace {

using Exec = Kokkos::DefaultHostExecutionSpace;
using Counts = std::vector<std::uint64_t>;

constexpr std::size_t images = 22 * io::images_per_chunk + 17;

/// A larger set than that of other tests, and the files of a run that uses it on every side.
class LargeFiles : public ::testing::Test {
 protected:
  LargeFiles() : set_(noise_set("letters", images, 5, 3, 4, 7)) {
    io::write_image_file(files_.directory.path() / "known.h5", set_);
    io::write_image_file(files_.directory.path() / "test.h5", set_);
  }

  train::DataOptions options() const { return files_.options(); }
  train::OpenData data() const { return train::open_data(options()); }
  static Context<Exec> context() { return {.exec = {}, .seed = 5, .log = Log(LogLevel::off)}; }

  /// Images of a set that each rank has read.
  static Counts read_by_rank(const train::Dataset& pieces) { return ranks().gather_values(pieces.samples_read()); }
  static std::uint64_t sum(const Counts& counts) {
    return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  }
  static std::uint64_t most(const Counts& counts) { return *std::max_element(counts.begin(), counts.end()); }

  /// All ranks together each image once, and none much more than its part: a chunk or two.
  static void expect_read_once_in_parts(const train::Dataset& pieces) {
    const Counts counts = read_by_rank(pieces);
    const std::uint64_t part = pieces.count() / std::uint64_t(ranks().size());
    BCR_EXPECT_ON_ALL_RANKS(sum(counts) == pieces.count());
    BCR_EXPECT_ON_ALL_RANKS(most(counts) <= part + 2 * io::images_per_chunk);
  }

  DataDirectory files_;
  io::ImageSet set_;
};

TEST_F(LargeFiles, ReachEveryRankThoughEachReadsItsPartAlone) {
  const train::OpenData opened = data();
  const train::Dataset& known = opened.known_train;
  std::vector<std::uint8_t> expected(known.bytes());
  data().known_train.read(expected);  // opened once more, to be counted apart
  std::vector<std::uint8_t> received(known.bytes());
  std::vector<int> times(known.count());

  train::read_together(known, ranks(), [&](const std::size_t first, const std::span<const std::uint8_t> pixels) {
    std::copy(pixels.begin(), pixels.end(), received.begin() + std::ptrdiff_t(first * known.image_bytes()));
    for (std::size_t i = 0; i < pixels.size() / known.image_bytes(); ++i) ++times[first + i];
  });

  BCR_EXPECT_ON_ALL_RANKS(received == expected);
  BCR_EXPECT_ON_ALL_RANKS(times == std::vector<int>(known.count(), 1));
  expect_read_once_in_parts(known);
}

TEST_F(LargeFiles, AreDealtOutInWholeChunks) {
  const train::Dataset both = data().background;  // of two files
  const std::vector<std::size_t> bounds = both.chunk_bounds();

  ASSERT_EQ(bounds.front(), 0u);
  ASSERT_EQ(bounds.back(), both.count());
  std::vector<std::pair<const io::DataFile*, std::size_t>> chunk_of;
  for (const auto& piece : both.pieces())
    for (const std::uint32_t row : piece.selection.rows)
      chunk_of.emplace_back(piece.file.get(), row / io::images_per_chunk);
  std::vector<std::size_t> expected{0};
  for (std::size_t i = 1; i < chunk_of.size(); ++i)
    if (chunk_of[i] != chunk_of[i - 1]) expected.push_back(i);
  expected.push_back(both.count());
  EXPECT_EQ(bounds, expected);
  EXPECT_EQ(train::Dataset().chunk_bounds(), std::vector<std::size_t>{0});
}

TEST_F(LargeFiles, AreReadOnceForTrainingByAllRanksTogether) {
  for (const std::uint64_t budget : {2048u, 0u}) {
    train::DataOptions chosen = options();
    chosen.device_budget_mib = budget;
    const train::OpenData opened = train::open_data(chosen);

    const auto source = train::make_batch_source<Exec, float>(context(), opened, chosen,
                                                              {.first = {ranks().rank(), ranks().size()}}, ranks());

    expect_read_once_in_parts(opened.known_train);
    expect_read_once_in_parts(opened.background);
    BCR_EXPECT_ON_ALL_RANKS(source.samples_fetched() == 0);
  }
}

TEST_F(LargeFiles, AreFetchedFromTheScratchFileOnlyWhereAShareNeedsThem) {
  train::DataOptions streamed = options();
  streamed.device_budget_mib = 0;
  const train::OpenData opened = train::open_data(streamed);
  auto source = train::make_batch_source<Exec, float>(context(), opened, streamed,
                                                      {.first = {ranks().rank(), ranks().size()}}, ranks());
  const std::uint64_t steps = source.plan().steps_per_epoch();
  std::uint64_t drawn = 0;

  for (std::uint64_t step = 0; step < steps; ++step) drawn += source.load(Exec{}, step).rows;

  const std::uint64_t ahead = source.samples_fetched() - drawn;
  const Counts all = ranks().gather_values(drawn);
  BCR_EXPECT_ON_ALL_RANKS(ahead <= source.most_samples());
  BCR_EXPECT_ON_ALL_RANKS(sum(all) == opened.known_train.count() + steps * std::uint64_t(streamed.background.batch));
  BCR_EXPECT_ON_ALL_RANKS(most(all) <= sum(all) / std::uint64_t(ranks().size()) + 2 * steps);
}

TEST_F(LargeFiles, AreTestedInPartsThatEachRankReadsAlone) {
  const train::OpenData opened = data();
  constexpr std::size_t batch = 64;

  const train::SharedSet<Exec, float> set(context(), opened.known_test, opened, options(), batch, ranks());

  const Counts counts = read_by_rank(opened.known_test);
  BCR_EXPECT_ON_ALL_RANKS(sum(counts) == opened.known_test.count());
  BCR_EXPECT_ON_ALL_RANKS(most(counts) <= opened.known_test.count() / std::uint64_t(ranks().size()) + batch);
}

}  // namespace
}  // namespace bcr::test
