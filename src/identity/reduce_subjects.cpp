#include "kernels/reduce/fixed_sum.hpp"
#include "kernels/reduce/reduce.hpp"
#include "src/core/instances.hpp"
#include "src/identity/digest.hpp"
#include "src/identity/inputs.hpp"
#include "src/identity/subject.hpp"

#include <array>

namespace bcr::identity {
namespace {

constexpr std::size_t length = 100003;

/// Terms of very different size and both signs: the sum depends on every choice of order.
template <class T>
T term(Random& random) {
  const T magnitude = spread_over_binades<T>(random, -12, 6);
  return random.below(2) == 0 ? magnitude : -magnitude;
}

/// Of the whole and of short beginnings: in a long sum a changed product may be rounded away.
template <class Exec, class T>
std::string sum_digest(const Exec& exec) {
  constexpr std::array<std::size_t, 4> sizes{1, 97, 4099, length};
  const auto a = vector_input<T>(exec, "identity/sum/a", length, term<T>);
  const auto b = vector_input<T>(exec, "identity/sum/b", length, term<T>);
  const Vector<double, Exec> partials("bcr::identity::partials", kernels::sum_chunks(length));
  const Vector<double, Exec> results("bcr::identity::results", 3 * sizes.size());
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const ConstVector<T, Exec> front_a(a.data(), sizes[i]), front_b(b.data(), sizes[i]);
    kernels::sum<Exec, T>(exec, front_a, partials, Kokkos::subview(results, 3 * i));
    kernels::dot<Exec, T>(exec, front_a, front_b, partials, Kokkos::subview(results, 3 * i + 1));
    kernels::norm2<Exec, T>(exec, front_a, partials, Kokkos::subview(results, 3 * i + 2));
  }
  return digest_of(exec, results);
}

template <class Exec, class T>
std::string moments_digest(const Exec& exec) {
  constexpr std::size_t rows = 1301, channels = 33;
  const auto src = matrix_input<T>(exec, "identity/moments", rows, channels, term<T>);
  const Matrix<double, Exec> partials("bcr::identity::partials", kernels::moment_chunks(rows), channels);
  const Vector<double, Exec> mean("bcr::identity::mean", channels), variance("bcr::identity::variance", channels);
  kernels::channel_moments<Exec, T>(exec, src, partials, mean, variance);
  return digest_of(exec, mean, variance);
}

/// Few different values, so that most rows have ties.
template <class T>
T small_integer(Random& random) {
  return static_cast<T>(random.below(5));
}

template <class Exec, class T>
std::string extreme_digest(const Exec& exec) {
  constexpr std::size_t rows = 67, columns = 129;
  const auto src = matrix_input<T>(exec, "identity/extreme", rows, columns, small_integer<T>);
  const Labels<Exec> smallest("bcr::identity::smallest", rows), largest("bcr::identity::largest", rows);
  const Vector<T, Exec> low("bcr::identity::low", rows), high("bcr::identity::high", rows);
  kernels::row_argmin(exec, src, smallest, low);
  kernels::row_argmax(exec, src, largest, high);
  return digest_of(exec, smallest, low, largest, high);
}

template <class Exec, class T>
void add_for(std::vector<Subject<Exec>>& subjects) {
  const std::string type(element_type_name<T>());
  subjects.push_back({"reduce.sums." + type, sum_digest<Exec, T>});
  subjects.push_back({"reduce.channel_moments." + type, moments_digest<Exec, T>});
  subjects.push_back({"reduce.extremes." + type, extreme_digest<Exec, T>});
}

}  // namespace

template <class Exec>
void add_reduce_subjects(std::vector<Subject<Exec>>& subjects) {
  add_for<Exec, float>(subjects);
  add_for<Exec, double>(subjects);
}

#define BCR_INSTANCE(Exec) template void add_reduce_subjects<Exec>(std::vector<Subject<Exec>>&);
BCR_FOR_EACH_EXEC(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::identity
