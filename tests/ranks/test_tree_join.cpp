#include "src/train/shards/tree_join.hpp"
#include "tests/ranks/ranks.hpp"
#include "tests/reference/fixed_sum.hpp"
#include "tests/support/exec_spaces.hpp"

#include <cmath>

namespace bcr::test {
namespace {

/// Numbers whose sum depends on the order in which they are added.
double entry(const int rank, const std::size_t i) {
  return std::sin(double(1 + rank)) * std::exp2(double((i * 7 + std::size_t(rank) * 13) % 20));
}

template <class Exec>
class TreeJoins : public ::testing::Test {
 protected:
  static Vector<double, Exec> own(const std::size_t length) {
    const Vector<double, Exec> array("bcr::tests::array", length);
    const auto mirror = Kokkos::create_mirror_view(array);
    for (std::size_t i = 0; i < length; ++i) mirror(i) = entry(ranks().rank(), i);
    Kokkos::deep_copy(array, mirror);
    return array;
  }

  static bool is_tree(const Vector<double, Exec>& array) {
    Exec().fence();
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), array);
    for (std::size_t i = 0; i < host.size(); ++i) {
      std::vector<double> leaves;
      for (int rank = 0; rank < ranks().size(); ++rank) leaves.push_back(entry(rank, i));
      if (host(i) != reference::neighbour_tree(leaves)) return false;
    }
    return true;
  }
};
TYPED_TEST_SUITE(TreeJoins, ExecSpaces);

TYPED_TEST(TreeJoins, AddShortAndLongArraysInTheSameOrder) {
  using Exec = TypeParam;
  const std::size_t most = 200'001;
  train::TreeJoin<Exec, double> join(ranks(), most);
  for (const std::size_t length :
       {std::size_t{0}, std::size_t{1}, std::size_t{65}, std::size_t{4096}, std::size_t{4097}, most}) {
    const auto array = this->own(length);
    join.run(Exec(), array);
    BCR_EXPECT_ON_ALL_RANKS(this->is_tree(array));
  }
}

TYPED_TEST(TreeJoins, MayBeUnderWaySideBySide) {
  using Exec = TypeParam;
  train::TreeJoin<Exec, double> one(ranks(), 50'000), two(ranks(), 60'000), three(ranks(), 100);
  const auto a = this->own(50'000), b = this->own(60'000), c = this->own(100);
  one.start(Exec(), a);
  two.start(Exec(), b);
  // A rank that looks after its messages and one that does not: their sharing begins at different times.
  for (int i = 0; i < 1000 * (ranks().rank() % 2); ++i) two.progress(Exec());
  three.run(Exec(), c);
  two.finish(Exec());
  one.finish(Exec());
  BCR_EXPECT_ON_ALL_RANKS(this->is_tree(a) && this->is_tree(b) && this->is_tree(c));
}

}  // namespace
}  // namespace bcr::test
