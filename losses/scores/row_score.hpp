#ifndef BCR_LOSSES_SCORES_ROW_SCORE_HPP
#define BCR_LOSSES_SCORES_ROW_SCORE_HPP

#include "losses/row_summary.hpp"
#include "losses/scores/score.hpp"

#include <cstddef>
#include <string_view>
#include <utility>

namespace bcr::losses {
namespace impl {

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
    Kokkos::single(Kokkos::PerTeam(team), [&] {
      scores(i) = formula(row);
      predictions(i) = row.best_class;
    });
  }
};

}  // namespace impl

/// A score made of a formula.
template <class Exec, class T, class Formula>
class RowScore final : public Score<Exec, T> {
 public:
  RowScore(const std::string_view name, const ScoreShape& shape, Formula formula, const double temperature = 1)
      : Score<Exec, T>(shape),
        name_(name),
        formula_(std::move(formula)),
        scale_((shape.outputs == HeadOutputs::squared_distances ? -shape.logit_scale : 1.0) / temperature) {}

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

  std::string_view name_;
  Formula formula_;
  double scale_;
};

}  // namespace bcr::losses

#endif
