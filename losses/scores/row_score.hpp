#ifndef BCR_LOSSES_SCORES_ROW_SCORE_HPP
#define BCR_LOSSES_SCORES_ROW_SCORE_HPP

#include "kernels/math/log1p.hpp"
#include "losses/row_summary.hpp"
#include "losses/scores/score.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace bcr::losses {

/// The fields of Row that cost something, and whether the column of a background class counts: what looks like
/// background must not look known, so only a share of all columns may include it.
struct ScoreNeeds {
  bool softmax = false;
  bool mean_output = false;
  bool feature_norm = false;
  bool known_classes_only = false;
  bool class_sum = false;  ///< the formula has term(log p_c, log(1 - p_c)), and is given its sum over the `top` classes
};

namespace impl {

/// Exponentials of all columns but one.
template <class Exec, class T>
struct SumOfOthers {
  Exponential<Exec, T> exponential;
  int left_out;
  KOKKOS_FORCEINLINE_FUNCTION double operator()(const int c, const double sum) const {
    return c == left_out ? sum : sum + exponential(c);
  }
};

/// sum_c term(log p_c, log(1 - p_c)) over the `top` most probable classes. 1 - p_c is found without cancellation: of
/// the best class it is the sum of the others, and every other p_c is at most 1/2.
template <class Exec, class T, class Formula>
struct SumOfClassTerms {
  Formula formula;
  const T* outputs;
  Row row;
  double log_others;

  /// Classes before c when ordered by probability, equals by index. C^2 comparisons, only where some are left out.
  KOKKOS_FUNCTION int rank_of(const int c) const {
    const double z = row.scale * double(outputs[c]);
    int rank = 0;
    for (int k = 0; k < row.columns; ++k) {
      const double other = row.scale * double(outputs[k]);
      if (other > z || (other == z && k < c)) ++rank;
    }
    return rank;
  }
  KOKKOS_FUNCTION double operator()(const int c, const double sum) const {
    if (row.columns > formula.top && rank_of(c) >= formula.top) return sum;
    const double log_p = Kokkos::fma(row.scale, double(outputs[c]) - row.peak, -row.log_total);
    const double log_rest =
        c == row.best_class ? log_others - row.log_total : kernels::strict::log1p(-kernels::strict::exp(log_p));
    return sum + formula.term(log_p, log_rest);
  }
};

/// The loop over samples, once for all scores. A Formula maps a Row to a number on the device.
template <class Exec, class T, class Formula>
struct RowScoreKernel {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  using Tiling = RowTiling<Exec>;

  Tiling tiling;
  Formula formula;
  ConstMatrix<T, Exec> outputs;
  ConstMatrix<T, Exec> features;
  Vector<double, Exec> scores;
  Labels<Exec> predictions;
  int classes;
  double scale;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    double* const scratch = kernels::sum_scratch(team);
    double* const buffer = tiling.buffer(team);
    Row rows[Tiling::most_rows];
    const int first = team.league_rank() * tiling.rows;
    const int count = Kokkos::min(int(tiling.rows), outputs.extent_int(0) - first);
    for (int r = 0; r < count; ++r) describe(team, scratch, first + r, rows[r]);
    if constexpr (is_host_exec<Exec> && Formula::needs.softmax) {
      for (int r = 0; r < count; ++r)
        fill_exponents<Exec>(at(first + r), rows[r], buffer + std::ptrdiff_t(r) * tiling.columns);
      exponentiate(buffer, count * tiling.columns);
    }
    for (int r = 0; r < count; ++r) finish(team, scratch, buffer + r * tiling.columns, first + r, rows[r]);
  }

  KOKKOS_FUNCTION const T* at(const int i) const { return outputs.data() + std::ptrdiff_t(i) * outputs.stride(0); }

  KOKKOS_FUNCTION void describe(const Member& team, double* const scratch, const int i, Row& row) const {
    row.scale = scale;
    row.columns = tiling.columns;
    find_best(team, scratch, at(i), classes, row);
    if constexpr (Formula::needs.mean_output) row.mean_output = mean(team, scratch, at(i), tiling.columns);
    if constexpr (Formula::needs.feature_norm) {
      const T* const f = features.data() + std::ptrdiff_t(i) * features.stride(0);
      row.feature_norm = norm(team, scratch, f, features.extent_int(1));
    }
  }

  KOKKOS_FUNCTION void finish(const Member& team, double* const scratch, const double* const buffer, const int i,
                              Row& row) const {
    if constexpr (Formula::needs.softmax) {
      const Exponential<Exec, T> exponential{at(i), buffer, row.scale, row.peak};
      row.log_total =
          kernels::strict::log(kernels::team_sum(team, scratch, row.columns, SumOfExponentials<Exec, T>{exponential}));
    }
    double class_sum = 0;
    if constexpr (Formula::needs.class_sum) {
      const Exponential<Exec, T> exponential{at(i), buffer, row.scale, row.peak};
      const double log_others = kernels::strict::log(
          kernels::team_sum(team, scratch, row.columns, SumOfOthers<Exec, T>{exponential, row.best_class}));
      class_sum = kernels::team_sum(team, scratch, row.columns,
                                    SumOfClassTerms<Exec, T, Formula>{formula, at(i), row, log_others});
    }
    Kokkos::single(Kokkos::PerTeam(team), [&] {
      if constexpr (Formula::needs.class_sum) {
        scores(i) = formula(class_sum);
      } else {
        scores(i) = formula(row);
      }
      predictions(i) = row.best_class;
    });
  }
};

}  // namespace impl

/// A score made of a formula: a device function of a Row, with `static constexpr ScoreNeeds needs`. One with a member
/// `temperature` sees logits divided by it.
template <class Exec, class T, class Formula>
class RowScore final : public Score<Exec, T> {
 public:
  RowScore(std::string name, const ScoreShape& shape, Formula formula)
      : Score<Exec, T>(shape),
        name_(std::move(name)),
        formula_(std::move(formula)),
        scale_(shape.outputs == HeadOutputs::squared_distances ? -shape.logit_scale : 1.0) {
    if constexpr (requires { formula_.temperature; }) scale_ /= formula_.temperature;
  }

  std::string_view name() const override { return name_; }

 private:
  void launch(const Exec& exec, const ConstMatrix<T, Exec>& outputs, const ConstMatrix<T, Exec>& features,
              const Vector<double, Exec>& scores, const Labels<Exec>& predictions) const override {
    const impl::RowTiling<Exec> tiling(Formula::needs.known_classes_only ? this->shape().classes
                                                                         : outputs.extent_int(1));
    Kokkos::parallel_for("bcr::losses::row_score", tiling.policy(exec, outputs.extent_int(0)),
                         impl::RowScoreKernel<Exec, T, Formula>{tiling, formula_, outputs, features, scores,
                                                                predictions, this->shape().classes, scale_});
  }

  std::string name_;
  Formula formula_;
  double scale_;
};

namespace impl {

template <auto make_formula>
struct RowScoreMaker {
  template <class Exec, class T>
  static std::unique_ptr<Score<Exec, T>> make(const std::string& name, const ScoreShape& shape) {
    using Formula = decltype(make_formula(shape));
    return std::make_unique<RowScore<Exec, T, Formula>>(name, shape, make_formula(shape));
  }
};

}  // namespace impl

/// How to make a score whose formula the function make_formula(shape) gives.
template <auto make_formula>
PerInstance<ScoreMaker> row_score_of() {
  return PerInstance<ScoreMaker>::of<impl::RowScoreMaker<make_formula>>();
}

/// A formula without settings.
template <class Formula>
Formula plain(const ScoreShape&) {
  return {};
}

}  // namespace bcr::losses

#endif
