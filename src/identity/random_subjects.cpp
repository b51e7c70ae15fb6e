#include "src/core/instances.hpp"
#include "src/core/random.hpp"
#include "src/core/views.hpp"
#include "src/identity/digest.hpp"
#include "src/identity/subject.hpp"

namespace bcr::identity {
namespace {

constexpr std::uint64_t seed = 0x0123456789ABCDEF;
constexpr int items = 4099;

/// Every kind of integer that an item can draw, twice, so that the second round starts in the middle of a block.
template <class Exec>
struct DrawIntegers {
  static constexpr int draws = 10;
  Stream stream;
  Matrix<std::uint64_t, Exec> dst;

  KOKKOS_FUNCTION void operator()(const int i) const {
    // Indices beyond 32 bits too.
    Random random(seed, stream, static_cast<std::uint32_t>(i % 3), static_cast<std::uint64_t>(i) << (i % 2 * 31));
    for (int round = 0; round < 2; ++round) {
      const int at = round * draws / 2;
      dst(i, at) = random.word();
      dst(i, at + 1) = random.word64();
      dst(i, at + 2) = random.below(10);
      dst(i, at + 3) = random.below(3000000019);       // redrawn three times in ten
      dst(i, at + 4) = random.below(0x8000000000001);  // just above a power of two: by mask, redrawn half of the time
    }
  }
};

template <class Exec, class T>
struct DrawReals {
  static constexpr int draws = 6;
  Stream stream;
  Matrix<T, Exec> dst;

  KOKKOS_FUNCTION void operator()(const int i) const {
    Random random(seed, stream, 5, static_cast<std::uint64_t>(i));
    for (int round = 0; round < draws / 2; ++round) {
      dst(i, 2 * round) = random.uniform<T>();
      dst(i, 2 * round + 1) = random.uniform_above_zero<T>();
    }
  }
};

template <class Exec>
struct Permute {
  Stream stream;
  std::uint64_t size;
  Vector<std::uint64_t, Exec> dst;

  KOKKOS_FUNCTION void operator()(const int i) const {
    // The first and the last places, which for the small sizes are all places.
    const std::uint64_t last = size < items ? size : static_cast<std::uint64_t>(items);
    const std::uint64_t step = static_cast<std::uint64_t>(i) % last;
    const Permutation permutation(size, seed, stream, static_cast<std::uint32_t>(i % 4));
    dst(i) = permutation(i % 2 == 0 ? step : size - 1 - step);
  }
};

template <class Exec>
std::string integers_digest(const Exec& exec) {
  const Matrix<std::uint64_t, Exec> dst("bcr::identity::drawn", items, DrawIntegers<Exec>::draws);
  Kokkos::parallel_for("bcr::identity::draw_integers", Kokkos::RangePolicy<Exec>(exec, 0, items),
                       DrawIntegers<Exec>{Stream("identity/random"), dst});
  return digest_of(exec, dst);
}

template <class Exec, class T>
std::string reals_digest(const Exec& exec) {
  const Matrix<T, Exec> dst("bcr::identity::drawn", items, DrawReals<Exec, T>::draws);
  Kokkos::parallel_for("bcr::identity::draw_reals", Kokkos::RangePolicy<Exec>(exec, 0, items),
                       DrawReals<Exec, T>{Stream("identity/random"), dst});
  return digest_of(exec, dst);
}

/// Of a table that fits, one more than a power of two, fifty thousand images, and many.
template <class Exec>
std::string permutation_digest(const Exec& exec) {
  Sha256 hash;
  for (const std::uint64_t size :
       {std::uint64_t{1}, std::uint64_t{65}, std::uint64_t{4097}, std::uint64_t{50000}, (std::uint64_t{1} << 40) + 1}) {
    const Vector<std::uint64_t, Exec> dst("bcr::identity::permuted", items);
    Kokkos::parallel_for("bcr::identity::permute", Kokkos::RangePolicy<Exec>(exec, 0, items),
                         Permute<Exec>{Stream("identity/permutation"), size, dst});
    exec.fence();
    hash_view(hash, Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), dst));
  }
  return to_hex(hash.digest());
}

}  // namespace

template <class Exec>
void add_random_subjects(std::vector<Subject<Exec>>& subjects) {
  subjects.push_back({"random.integers.uint64", integers_digest<Exec>});
  subjects.push_back({"random.reals.float32", reals_digest<Exec, float>});
  subjects.push_back({"random.reals.float64", reals_digest<Exec, double>});
  subjects.push_back({"random.permutation.uint64", permutation_digest<Exec>});
}

#define BCR_INSTANCE(Exec) template void add_random_subjects<Exec>(std::vector<Subject<Exec>>&);
BCR_FOR_EACH_EXEC(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::identity
