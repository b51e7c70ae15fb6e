#include "kernels/film/film.hpp"

#include "kernels/reduce/fixed_sum.hpp"
#include "src/core/error.hpp"
#include "src/core/instances.hpp"
#include "src/core/launch.hpp"

namespace bcr::kernels {
namespace {

template <class Exec>
struct ChoiceMap {
  ConditionChoice choice;
  ConstLabels<Exec> labels;
  Matrix<std::int32_t, Exec> conditions;

  KOKKOS_FUNCTION void operator()(const std::size_t row) const {
    const int i = int(row), count = conditions.extent_int(1), classes = choice.classes;
    const int label = choice.drawn && i < labels.extent_int(0) ? labels(i) : -1;
    if (label < 0 || label >= classes) {
      for (int s = 0; s < count; ++s) conditions(i, s) = (choice.first + s) % classes;
      return;
    }
    Random random(choice.seed, choice.stream, choice.step, choice.numbers(row));
    for (int s = 0; s < count; ++s)
      conditions(i, s) = s == 0 || classes == 1
                             ? label
                             : (label + 1 + int(random.below(std::uint32_t(classes - 1)))) % classes;
  }
};

/// (W l_k + b)_u.
template <class Weights, class Bias>
KOKKOS_FORCEINLINE_FUNCTION double coded(const Weights& weights, const Bias& bias, const int u, const int k) {
  double sum = double(bias(u));
  for (int c = 0; c < weights.extent_int(1); ++c) {
    const double weight = double(weights(u, c));
    sum = c == k ? sum + weight : sum - weight;
  }
  return sum;
}

template <class Exec, class T>
struct ForwardMap {
  ConstMatrix<T, Exec> src;
  ConstMatrix<std::int32_t, Exec> conditions;
  FilmParameters<Exec, T> by;
  Matrix<T, Exec> dst;
  int n;

  KOKKOS_FUNCTION void operator()(const std::size_t e) const {
    const int row = int(e / std::size_t(n)), u = int(e % std::size_t(n)), count = conditions.extent_int(1);
    const int i = row / count, k = conditions(i, row % count);
    const double factor = coded(by.factor_weights, by.factor_bias, u, k);
    dst(row, u) = T(Kokkos::fma(factor, double(src(i, u)), coded(by.shift_weights, by.shift_bias, u, k)));
  }
};

/// Of one class and one feature: the sums over the rows that have the class as a condition of dL/dz f and of dL/dz.
template <class Exec, class T>
struct ClassSums {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;

  ConstMatrix<T, Exec> src;
  ConstMatrix<std::int32_t, Exec> conditions;
  ConstMatrix<T, Exec> diff_dst;
  Vector<double, Exec> sums;
  int n;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const int k = team.league_rank() / n, u = team.league_rank() % n, count = conditions.extent_int(1);
    double* const scratch = sum_scratch(team);
    const auto by_factor = [&](const int row, const double sum) {
      const int i = row / count;
      return conditions(i, row % count) == k ? Kokkos::fma(double(diff_dst(row, u)), double(src(i, u)), sum) : sum;
    };
    const auto by_shift = [&](const int row, const double sum) {
      return conditions(row / count, row % count) == k ? sum + double(diff_dst(row, u)) : sum;
    };
    const int rows = diff_dst.extent_int(0);
    const double factor = team_sum(team, scratch, rows, by_factor);
    const double shift = team_sum(team, scratch, rows, by_shift);
    Kokkos::single(Kokkos::PerTeam(team), [&] {
      sums(2 * team.league_rank()) = factor;
      sums(2 * team.league_rank() + 1) = shift;
    });
  }
};

/// dL/dW_uc = sum over k of l_k(c) dL/dgamma_k(u), dL/db_u = sum over k of dL/dgamma_k(u), and the same for beta.
template <class Exec, class T>
struct ParameterMap {
  Vector<double, Exec> sums;
  FilmParameters<Exec, T> gradients;
  int n;
  int classes;

  KOKKOS_FUNCTION double of(const int k, const int u, const int which) const { return sums(2 * (k * n + u) + which); }
  KOKKOS_FUNCTION void write(const int which, const int u, const Matrix<T, Exec>& weights,
                             const Vector<T, Exec>& bias) const {
    double total = 0;
    for (int k = 0; k < classes; ++k) total += of(k, u, which);
    bias(u) = T(total);
    for (int c = 0; c < classes; ++c) {
      double sum = 0;
      for (int k = 0; k < classes; ++k) sum = k == c ? sum + of(k, u, which) : sum - of(k, u, which);
      weights(u, c) = T(sum);
    }
  }
  KOKKOS_FUNCTION void operator()(const std::size_t e) const {
    write(0, int(e), gradients.factor_weights, gradients.factor_bias);
    write(1, int(e), gradients.shift_weights, gradients.shift_bias);
  }
};

template <class Exec, class T>
struct SourceMap {
  ConstMatrix<std::int32_t, Exec> conditions;
  FilmParameters<Exec, T> by;
  ConstMatrix<T, Exec> diff_dst;
  Matrix<T, Exec> diff_src;
  int n;
  bool adds;

  KOKKOS_FUNCTION void operator()(const std::size_t e) const {
    const int i = int(e / std::size_t(n)), u = int(e % std::size_t(n)), count = conditions.extent_int(1);
    double sum = adds ? double(diff_src(i, u)) : 0.0;
    for (int s = 0; s < count; ++s)
      sum = Kokkos::fma(coded(by.factor_weights, by.factor_bias, u, conditions(i, s)),
                        double(diff_dst(i * count + s, u)), sum);
    diff_src(i, u) = T(sum);
  }
};

template <class Exec>
using Elements = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>;

template <class Exec, class T, class Rows, class Dst>
void require_film(const std::string_view operation, const Rows& src, const ConstMatrix<std::int32_t, Exec>& conditions,
                  const FilmParameters<Exec, T>& parameters, const Dst& dst) {
  const std::size_t n = src.extent(1), classes = parameters.factor_weights.extent(1);
  require_shape(operation, "factor weights", parameters.factor_weights, {n, classes});
  require_shape(operation, "shift weights", parameters.shift_weights, {n, classes});
  require_shape(operation, "factor bias", parameters.factor_bias, {n});
  require_shape(operation, "shift bias", parameters.shift_bias, {n});
  require_shape(operation, "rows of conditions", dst, {src.extent(0) * conditions.extent(1), n});
}

}  // namespace

template <class Exec>
void choose_conditions(const Exec& exec, const ConditionChoice& choice, ConstLabels<Exec> labels,
                       Matrix<std::int32_t, Exec> conditions) {
  Kokkos::parallel_for("bcr::kernels::choose_conditions", Elements<Exec>(exec, 0, conditions.extent(0)),
                       ChoiceMap<Exec>{choice, labels, conditions});
}

template <class Exec, class T>
void film_forward(const Exec& exec, ConstMatrix<T, Exec> src, ConstMatrix<std::int32_t, Exec> conditions,
                  const FilmParameters<Exec, T>& parameters, Matrix<T, Exec> dst) {
  require_film<Exec, T>("film_forward", src, conditions, parameters, dst);
  Kokkos::parallel_for("bcr::kernels::film_forward", Elements<Exec>(exec, 0, dst.size()),
                       ForwardMap<Exec, T>{src, conditions, parameters, dst, dst.extent_int(1)});
}

template <class Exec, class T>
void film_backward_parameters(const Exec& exec, ConstMatrix<T, Exec> src, ConstMatrix<std::int32_t, Exec> conditions,
                              ConstMatrix<T, Exec> diff_dst, Vector<double, Exec> sums,
                              const FilmParameters<Exec, T>& gradients) {
  require_film<Exec, T>("film_backward_parameters", src, conditions, gradients, diff_dst);
  const int n = src.extent_int(1), classes = gradients.factor_weights.extent_int(1);
  auto teams = block_policy(exec, n * classes, 64);
  teams.set_scratch_size(0, Kokkos::PerTeam(sum_scratch_bytes));
  Kokkos::parallel_for("bcr::kernels::film_class_sums", teams,
                       ClassSums<Exec, T>{src, conditions, diff_dst, sums, n});
  Kokkos::parallel_for("bcr::kernels::film_backward_parameters", Elements<Exec>(exec, 0, n),
                       ParameterMap<Exec, T>{sums, gradients, n, classes});
}

template <class Exec, class T>
void film_backward_source(const Exec& exec, ConstMatrix<std::int32_t, Exec> conditions,
                          const FilmParameters<Exec, T>& parameters, ConstMatrix<T, Exec> diff_dst,
                          const ChainStart start, Matrix<T, Exec> diff_src) {
  require_film<Exec, T>("film_backward_source", diff_src, conditions, parameters, diff_dst);
  Kokkos::parallel_for("bcr::kernels::film_backward_source", Elements<Exec>(exec, 0, diff_src.size()),
                       SourceMap<Exec, T>{conditions, parameters, diff_dst, diff_src, diff_src.extent_int(1),
                                          start == ChainStart::dst});
}

#define BCR_INSTANCE(Exec) \
  template void choose_conditions<Exec>(const Exec&, const ConditionChoice&, ConstLabels<Exec>, \
                                        Matrix<std::int32_t, Exec>);
BCR_FOR_EACH_EXEC(BCR_INSTANCE)
#undef BCR_INSTANCE

#define BCR_INSTANCE(Exec, T)                                                                                        \
  template void film_forward<Exec, T>(const Exec&, ConstMatrix<T, Exec>, ConstMatrix<std::int32_t, Exec>,            \
                                      const FilmParameters<Exec, T>&, Matrix<T, Exec>);                              \
  template void film_backward_parameters<Exec, T>(const Exec&, ConstMatrix<T, Exec>, ConstMatrix<std::int32_t, Exec>, \
                                                  ConstMatrix<T, Exec>, Vector<double, Exec>,                        \
                                                  const FilmParameters<Exec, T>&);                                   \
  template void film_backward_source<Exec, T>(const Exec&, ConstMatrix<std::int32_t, Exec>,                          \
                                              const FilmParameters<Exec, T>&, ConstMatrix<T, Exec>, ChainStart,      \
                                              Matrix<T, Exec>);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::kernels
