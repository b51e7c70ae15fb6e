#include "kernels/norm/batch_norm_backward.hpp"
#include "kernels/norm/batch_norm_coefficients.hpp"
#include "kernels/norm/batch_norm_forward.hpp"
#include "kernels/norm/column_sums.hpp"
#include "kernels/norm/elementwise.hpp"
#include "kernels/pool/pool.hpp"
#include "src/core/instances.hpp"
#include "src/identity/digest.hpp"
#include "src/identity/inputs.hpp"
#include "src/identity/subject.hpp"

namespace bcr::identity {
namespace {

// Several chunks with a leftover, a second level of the tree of 32 chunks, channels that fill no strip.
constexpr std::size_t rows = 8500, channels = 33;
const kernels::Dropout dropout{0.3, 20220417, Stream("identity/dropout").id, 3};

/// Terms of very different size and both signs: sums depend on every choice of order.
template <class T>
T term(Random& random) {
  const T magnitude = spread_over_binades<T>(random, -12, 3);
  return random.below(2) == 0 ? magnitude : -magnitude;
}

template <class T>
T parameter(Random& random) {
  return uniform_between<T>(random, T(0.5), T(1.5));
}

/// A training step of one layer: batch norm, relu, dropout, and back.
template <class Exec, class T>
std::string batch_norm_digest(const Exec& exec) {
  const auto src = matrix_input<T>(exec, "identity/norm/src", rows, channels, term<T>);
  const auto diff_dst = matrix_input<T>(exec, "identity/norm/diff_dst", rows, channels, term<T>);
  const auto gamma = vector_input<T>(exec, "identity/norm/gamma", channels, parameter<T>);
  const auto beta = vector_input<T>(exec, "identity/norm/beta", channels, parameter<T>);
  const auto vector = [] { return Vector<T, Exec>("bcr::identity::channels", channels); };
  const kernels::BatchNormCoefficients<Exec, T> coefficients{vector(), vector(), vector(), vector()};
  const kernels::RunningStatistics<Exec, T> running{vector(), vector()};
  const Vector<double, Exec> partials("bcr::identity::partials", kernels::norm_partials(rows, channels));
  const Matrix<double, Exec> sums("bcr::identity::sums", 2, channels), back_sums("bcr::identity::sums", 2, channels);
  const Matrix<T, Exec> terms("bcr::identity::terms", 3, channels), dst("bcr::identity::dst", rows, channels);
  const Matrix<T, Exec> diff_src("bcr::identity::diff_src", rows, channels);
  constexpr auto relu = kernels::Activation::relu;
  kernels::batch_norm_sums<Exec, T>(exec, src, partials, sums);
  kernels::batch_norm_coefficients<Exec, T>(exec, sums, double(rows), {gamma, beta}, 1e-5, 0.1, running, coefficients);
  kernels::batch_norm_forward<Exec, T>(exec, src, coefficients.scale, coefficients.shift, relu, dropout, dst);
  kernels::batch_norm_backward_sums<Exec, T>(exec, src, diff_dst, coefficients, relu, dropout, partials, back_sums);
  kernels::batch_norm_backward_terms<Exec, T>(exec, back_sums, double(rows), coefficients, dropout, terms);
  kernels::batch_norm_backward<Exec, T>(exec, src, diff_dst, coefficients, terms, relu, dropout,
                                        kernels::ChainStart::zero, diff_src);
  return digest_of(exec, sums, coefficients.mean, coefficients.inverse_std, coefficients.scale, coefficients.shift,
                   running.mean, running.variance, dst, back_sums, terms, diff_src);
}

template <class Exec, class T>
std::string elementwise_digest(const Exec& exec) {
  const auto src = matrix_input<T>(exec, "identity/elementwise", rows, channels, term<T>);
  const Vector<T, Exec> flat(src.data(), src.size()), dropped("bcr::identity::dropped", src.size());
  const Vector<T, Exec> active("bcr::identity::active", src.size()), sums("bcr::identity::sums", channels);
  const Vector<double, Exec> partials("bcr::identity::partials", kernels::norm_partials(rows, channels));
  kernels::column_sums<Exec, T>(exec, src, partials, sums);
  kernels::dropout_map<Exec, T>(exec, flat, dropout, dropped);
  kernels::relu_forward<Exec, T>(exec, flat, active);
  kernels::add<Exec, T>(exec, dropped, active);
  return digest_of(exec, sums, dropped, active);
}

template <class Exec, class T>
std::string pool_digest(const Exec& exec) {
  using Tensor = Tensor4<T, Exec>;
  const kernels::PoolWindow window{3, 2, 1};
  const auto src = fill_input<Tensor>(exec, "identity/pool", Kokkos::LayoutRight(3, 13, 11, 67), term<T>);
  const Tensor most("bcr::identity::most", 3, 7, 6, 67), mean("bcr::identity::mean", 3, 7, 6, 67);
  const Tensor back("bcr::identity::back", 3, 13, 11, 67), spread("bcr::identity::spread", 3, 13, 11, 67);
  const Matrix<T, Exec> means("bcr::identity::means", 3, 67);
  kernels::max_pool_forward<Exec, T>(exec, window, src, most);
  kernels::max_pool_backward<Exec, T>(exec, window, src, most, back);
  kernels::average_pool_forward<Exec, T>(exec, window, src, mean);
  kernels::average_pool_backward<Exec, T>(exec, window, mean, spread);
  kernels::global_average_pool_forward<Exec, T>(exec, src, means);
  return digest_of(exec, most, back, mean, spread, means);
}

template <class Exec, class T>
void add_for(std::vector<Subject<Exec>>& subjects) {
  const std::string type(element_type_name<T>());
  subjects.push_back({"norm.batch_norm." + type, batch_norm_digest<Exec, T>});
  subjects.push_back({"norm.elementwise." + type, elementwise_digest<Exec, T>});
  subjects.push_back({"pool.windows." + type, pool_digest<Exec, T>});
}

}  // namespace

template <class Exec>
void add_norm_subjects(std::vector<Subject<Exec>>& subjects) {
  add_for<Exec, float>(subjects);
  add_for<Exec, double>(subjects);
}

#define BCR_INSTANCE(Exec) template void add_norm_subjects<Exec>(std::vector<Subject<Exec>>&);
BCR_FOR_EACH_EXEC(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::identity
