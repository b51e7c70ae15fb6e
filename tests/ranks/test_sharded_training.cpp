#include "src/comm/communicator.hpp"
#include "tests/ranks/ranks.hpp"
#include "tests/support/exec_spaces.hpp"
#include "tests/support/sharded_training.hpp"
#include "tests/support/tolerance.hpp"

#include <limits>

namespace bcr::test {
namespace {

using train::BatchNormScope;

constexpr int shards = 8;

template <class Exec>
class TrainingOnRanks : public ::testing::Test {
 protected:
  DataDirectory files_;
  comm::SerialCommunicator alone_;
};
TYPED_TEST_SUITE(TrainingOnRanks, ExecSpaces);

/// Trains here alone and together with the others; both must end in the same bits.
template <class Exec>
void expect_bits_of_one_rank(const DataDirectory& files, const train::ShardOptions& options,
                             const std::uint64_t steps) {
  comm::SerialCommunicator alone;
  ShardedTraining<Exec, float> here(files, alone, options);
  ShardedTraining<Exec, float> together(files, ranks(), options);
  const auto before = here.weights();

  here.run(0, steps);
  together.run(0, steps);

  BCR_EXPECT_ON_ALL_RANKS(here.weights() != before);
  BCR_EXPECT_ON_ALL_RANKS(here.weights() == together.weights());
  BCR_EXPECT_ON_ALL_RANKS(here.statistics() == together.statistics());
  BCR_EXPECT_ON_ALL_RANKS(here.parts() == together.parts());
}

TYPED_TEST(TrainingOnRanks, EndsInTheBitsOfOneRank) {
  expect_bits_of_one_rank<TypeParam>(this->files_, {.shards = shards, .bucket_mib = 0.02}, 20);
}

TYPED_TEST(TrainingOnRanks, EndsInTheBitsOfOneRankWithGlobalBatchNorm) {
  expect_bits_of_one_rank<TypeParam>(this->files_,
                                     {.shards = shards, .batch_norm = BatchNormScope::global, .bucket_mib = 0.02}, 20);
}

TYPED_TEST(TrainingOnRanks, DoesNotDependOnTheSizeOfBuckets) {
  for (const double bucket_mib : {0.0, 1.0})
    expect_bits_of_one_rank<TypeParam>(this->files_, {.shards = shards, .bucket_mib = bucket_mib}, 3);
}

TYPED_TEST(TrainingOnRanks, HasTheGradientOfTheWholeBatchWithGlobalBatchNorm) {
  WholeTraining<TypeParam, double> whole(this->files_);
  ShardedTraining<TypeParam, double> together(this->files_, ranks(),
                                              {.shards = ranks().size(), .batch_norm = BatchNormScope::global});

  whole.run(0, 1);
  together.run(0, 1);

  BCR_EXPECT_ON_ALL_RANKS(relative_difference(whole.gradients(), together.gradients()) <= tolerance::sharded_gradient);
  BCR_EXPECT_ON_ALL_RANKS(relative_difference(whole.parts(), together.parts()) <= tolerance::sharded_gradient);
}

TYPED_TEST(TrainingOnRanks, StaysWithinTheToleranceInFastMode) {
  const train::ShardOptions options{.shards = shards, .batch_norm = BatchNormScope::global};
  ShardedTraining<TypeParam, float> here(this->files_, this->alone_, options, nn::Mode::fast);
  ShardedTraining<TypeParam, float> together(this->files_, ranks(), options, nn::Mode::fast);

  here.run(0, 1);
  together.run(0, 1);

  BCR_EXPECT_ON_ALL_RANKS(relative_difference(here.gradients(), together.gradients()) <=
                          tolerance::sharded_gradient_fast);
}

TYPED_TEST(TrainingOnRanks, NoticesWhichRankIsTheFirstThatIsNotFinite) {
  if (ranks().size() == 1) return;
  ShardedTraining<TypeParam, float> together(this->files_, ranks(), {.shards = shards});
  const int broken = ranks().size() - 1;
  together.run(0, 2);
  if (ranks().rank() == broken)
    Kokkos::deep_copy(together.model.parameters().values(), std::numeric_limits<float>::quiet_NaN());

  const train::StepAgreement agreement = together.run(2, 3);

  const bool names_it = together.step().first_step_not_finite() ==
                        (ranks().rank() == broken ? 2 : std::numeric_limits<std::uint64_t>::max());
  BCR_EXPECT_ON_ALL_RANKS(names_it);
  BCR_EXPECT_ON_ALL_RANKS(!agreement.finite);
}

TYPED_TEST(TrainingOnRanks, StopsEverywhereIfOneIsAskedTo) {
  if (ranks().size() == 1) return;
  ShardedTraining<TypeParam, float> t(this->files_, ranks(), {.shards = shards});
  const auto step = [&](const std::uint64_t number, const bool stop) { return t.run_step(number, stop); };

  const bool before = step(0, false).stop;
  const bool asked = step(1, ranks().rank() == 1).stop;
  const bool after = step(2, false).stop;

  BCR_EXPECT_ON_ALL_RANKS(!before && asked && !after);
}

}  // namespace
}  // namespace bcr::test
