#include "src/comm/communicator.hpp"
#include "tests/reference/fixed_sum.hpp"
#include "tests/support/exec_spaces.hpp"
#include "tests/support/sharded_training.hpp"
#include "tests/support/tolerance.hpp"

#include <gtest/gtest.h>

namespace bcr::test {
namespace {

using train::BatchNormScope;

constexpr std::size_t length = 71;

/// Numbers whose sum depends on the order in which they are added.
double entry(const int shard, const std::size_t i) {
  return std::sin(double(1 + shard)) * std::exp2(double((i * 7 + std::size_t(shard) * 13) % 60));
}

template <class Exec>
class Shards : public ::testing::Test {
 protected:
  static void write(const Vector<double, Exec>& to, const int shard, const std::size_t begin, const std::size_t end) {
    const auto mirror = Kokkos::create_mirror_view(to);
    Kokkos::deep_copy(mirror, to);
    for (std::size_t i = begin; i < end; ++i) mirror(i) = entry(shard, i);
    Kokkos::deep_copy(to, mirror);
  }

  static void expect_tree(const Vector<double, Exec>& received, const int shards) {
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), received);
    for (std::size_t i = 0; i < length; ++i) {
      std::vector<double> leaves;
      for (int shard = 0; shard < shards; ++shard) leaves.push_back(entry(shard, i));
      EXPECT_EQ(host(i), reference::neighbour_tree(leaves)) << shards << " shards, element " << i;
    }
  }

  DataDirectory files_;
  comm::SerialCommunicator alone_;
};
TYPED_TEST_SUITE(Shards, ExecSpaces);

TYPED_TEST(Shards, AreAddedByTheTreeOfNeighbours) {
  using Exec = TypeParam;
  for (const int shards : {1, 2, 3, 5, 6, 8, 13}) {
    const Vector<double, Exec> first("bcr::tests::first", length);
    train::ShardSums<Exec, double> sums(first, shards);
    for (const auto& [begin, end] : {std::pair<std::size_t, std::size_t>{40, length}, {0, 40}})
      for (int shard = 0; shard < shards; ++shard) {
        this->write(sums.array_of(shard), shard, begin, end);
        sums.add(Exec(), shard, begin, end);
      }
    Exec().fence();
    this->expect_tree(first, shards);

    const Matrix<double, Exec> rows("bcr::tests::rows", shards, length);
    for (int shard = 0; shard < shards; ++shard)
      this->write(Vector<double, Exec>(rows.data() + std::size_t(shard) * length, length), shard, 0, length);
    train::join_rows<Exec, double>(Exec(), rows);
    Exec().fence();
    this->expect_tree(Vector<double, Exec>(rows.data(), length), shards);
  }
}

TYPED_TEST(Shards, OfWhichThereIsOneAreTheTextbookAlgorithmBitForBit) {
  for (const auto scope : {BatchNormScope::shard, BatchNormScope::global}) {
    WholeTraining<TypeParam, float> whole(this->files_);
    ShardedTraining<TypeParam, float> sharded(this->files_, this->alone_, {.shards = 1, .batch_norm = scope});

    whole.run(0, 6);
    sharded.run(0, 6);

    EXPECT_EQ(whole.weights(), sharded.weights());
    EXPECT_EQ(whole.statistics(), sharded.statistics());
    EXPECT_EQ(whole.parts(), sharded.parts());
  }
}

TYPED_TEST(Shards, WithGlobalBatchNormHaveTheGradientOfTheWholeBatch) {
  const std::uint64_t last_step = WholeTraining<TypeParam, double>(this->files_).batches.plan().steps_per_epoch() - 1;
  for (const int shards : {2, 4, 7})
    for (const std::uint64_t step : {std::uint64_t{0}, last_step}) {  // the last batch is smaller
      WholeTraining<TypeParam, double> whole(this->files_);
      ShardedTraining<TypeParam, double> sharded(this->files_, this->alone_,
                                                 {.shards = shards, .batch_norm = BatchNormScope::global});

      whole.run(step, step + 1);
      sharded.run(step, step + 1);

      EXPECT_LE(relative_difference(whole.gradients(), sharded.gradients()), tolerance::sharded_gradient);
      EXPECT_LE(relative_difference(whole.statistics(), sharded.statistics()), tolerance::sharded_gradient);
      EXPECT_LE(relative_difference(whole.parts(), sharded.parts()), tolerance::sharded_gradient);
    }
}

TYPED_TEST(Shards, WithTheirOwnBatchNormFollowTheWholeBatchWithTheirRunningStatistics) {
  WholeTraining<TypeParam, double> whole(this->files_);
  ShardedTraining<TypeParam, double> sharded(this->files_, this->alone_, {.shards = 4});

  whole.run(0, 1);
  sharded.run(0, 1);

  // The first layer sees the same pixels whatever the statistics are; the others do not.
  const auto& slices = whole.model.statistics().slices();
  for (int id = 0; id < 2; ++id)
    EXPECT_LE(relative_difference(whole.to_list(whole.model.statistics().values(id)),
                                  sharded.to_list(sharded.model.statistics().values(id))),
              tolerance::sharded_gradient)
        << slices[std::size_t(id)].name;
  EXPECT_GT(relative_difference(whole.gradients(), sharded.gradients()), 1e-3) << "shards have statistics of their own";
}

}  // namespace
}  // namespace bcr::test
