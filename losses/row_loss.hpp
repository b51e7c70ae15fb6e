#ifndef BCR_LOSSES_ROW_LOSS_HPP
#define BCR_LOSSES_ROW_LOSS_HPP

#include "losses/inclusion_median.hpp"
#include "losses/registry.hpp"
#include "losses/row_summary.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>

namespace bcr::losses {

/// What each row reports to the sums, a row of Loss::row_values each.
enum class RowValue : int { classification, background, correct, nearest, included };
inline constexpr int row_value_count = 5;

namespace impl {

/// The loop over the rows of a batch, once for all losses. A Term is a formula:
///   static constexpr RowNeeds needs;
///   RowTerm known(const Row&) const, RowTerm background(const Row&) const     device functions
template <class Exec, class T, class Term>
struct RowLossKernel {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  using Tiling = RowTiling<Exec>;
  static constexpr bool host = is_host_exec<Exec>;

  Tiling tiling;
  Term term;
  ConstMatrix<T, Exec> outputs;
  ConstMatrix<T, Exec> features;
  ConstLabels<Exec> labels;
  Matrix<T, Exec> diff_outputs;
  Vector<T, Exec> diff_features_factor;
  Matrix<double, Exec> row_values;
  int classes;
  double scale;
  double classification_weight;
  double known_weight;       ///< with lambda
  double background_weight;  ///< with lambda
  double nearest_factor;     ///< 1/n for squared distances
  double inclusion_median;   ///< P_I > 1/2 below it

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    double* const scratch = kernels::sum_scratch(team);
    double* const buffer = tiling.buffer(team);
    Row rows[Tiling::most_rows];
    const int first = team.league_rank() * tiling.rows;
    const int count = Kokkos::min(int(tiling.rows), outputs.extent_int(0) - first);
    for (int r = 0; r < count; ++r) describe(team, scratch, first + r, rows[r]);
    if constexpr (host) {
      const int with_softmax = Term::needs.background_softmax ? count : std::clamp(known() - first, 0, count);
      for (int r = 0; r < with_softmax; ++r) fill_exponents<Exec>(at(first + r), rows[r], buffer + r * tiling.columns);
      exponentiate(buffer, with_softmax * tiling.columns);
    }
    for (int r = 0; r < count; ++r) finish(team, scratch, buffer + r * tiling.columns, first + r, rows[r]);
  }

 private:
  KOKKOS_FUNCTION int known() const { return labels.extent_int(0); }
  KOKKOS_FUNCTION const T* at(const int i) const { return outputs.data() + std::ptrdiff_t(i) * outputs.stride(0); }

  /// All of a row but its softmax.
  KOKKOS_FUNCTION void describe(const Member& team, double* const scratch, const int i, Row& row) const {
    row.scale = scale;
    row.columns = tiling.columns;
    find_best(team, scratch, at(i), classes, row);
    const bool is_known = i < known();
    if (is_known || Term::needs.partner) find_target(i, row);
    if (Term::needs.extra_class && !is_known) {
      row.target = classes;
      row.target_output = double(at(i)[classes]);
    }
    if constexpr (Term::needs.mean_output) {
      if (!is_known) row.mean_output = mean(team, scratch, at(i), tiling.columns);
    }
    if constexpr (Term::needs.feature_norm) {
      const T* const f = features.data() + std::ptrdiff_t(i) * features.stride(0);
      row.feature_norm = norm(team, scratch, f, features.extent_int(1));
    }
  }

  /// A label that is none makes its row NaN.
  KOKKOS_FUNCTION void find_target(const int i, Row& row) const {
    const bool is_known = i < known();
    const int partner = is_known ? i + known() : i - known();
    const int label_row = is_known ? i : partner;
    if (label_row >= known()) return;
    const int y = labels(label_row);
    const bool valid = y >= 0 && y < classes;
    row.target = valid ? y : -1;
    row.target_output = valid ? double(at(i)[y]) : kernels::strict::impl::quiet_nan<double>();
    if constexpr (Term::needs.partner) {
      row.has_partner = valid && partner < outputs.extent_int(0);
      if (row.has_partner) row.partner_output = double(at(partner)[y]);
    }
  }

  KOKKOS_FUNCTION void finish(const Member& team, double* const scratch, const double* const buffer, const int i,
                              Row& row) const {
    const bool is_known = i < known();
    const bool has_softmax = is_known || Term::needs.background_softmax;
    const Exponential<Exec, T> exponential{at(i), buffer, row.scale, row.peak};
    double total = 1;
    if (has_softmax) {
      total = kernels::team_sum(team, scratch, row.columns, SumOfExponentials<Exec, T>{exponential});
      row.log_total = kernels::strict::log(total);
    }
    const double weight = is_known ? known_weight : background_weight;
    const RowTerm found = is_known ? term.known(row) : term.background(row);
    const RowTerm slopes = weight == 0 ? RowTerm{} : found;  // 0 times an infinite slope is no slope
    const double entropy_weight = is_known ? classification_weight : 0.0;
    const Slope slope{Kokkos::fma(weight, slopes.softmax, entropy_weight) * row.scale / total,
                      weight * slopes.uniform * row.scale,
                      Kokkos::fma(-entropy_weight, row.scale, weight * slopes.target), weight * slopes.best};
    if (has_softmax) {
      write_gradient(team, i, row, slope, exponential);
    } else {
      write_gradient(team, i, row, slope, NoExponential{});
    }
    Kokkos::single(Kokkos::PerTeam(team), [&] { report(i, row, found, weight); });
  }

  struct Slope {
    double softmax;
    double uniform;
    double target;
    double best;
  };
  struct NoExponential {
    KOKKOS_FORCEINLINE_FUNCTION double operator()(int) const { return 0; }
  };

  template <class Exponentials>
  KOKKOS_FUNCTION void write_gradient(const Member& team, const int i, const Row& row, const Slope& slope,
                                      const Exponentials& exponential) const {
    T* const to = diff_outputs.data() + std::ptrdiff_t(i) * diff_outputs.stride(0);
    const auto entry = [=, target = row.target, best = row.best_class](const int c) {
      const double base = Kokkos::fma(slope.softmax, exponential(c), slope.uniform);
      to[c] = T((base + (c == target ? slope.target : 0.0)) + (c == best ? slope.best : 0.0));
    };
    if constexpr (host) {
#pragma omp simd
      for (int c = 0; c < row.columns; ++c) entry(c);
    } else {
      Kokkos::parallel_for(Kokkos::TeamVectorRange(team, row.columns), entry);
    }
  }

  KOKKOS_FUNCTION void report(const int i, const Row& row, const RowTerm& found, const double weight) const {
    const bool is_known = i < known();
    if (diff_features_factor.extent_int(0) > 0) diff_features_factor(i) = T(weight * found.features);
    row_values(int(RowValue::classification), i) = is_known ? row.cross_entropy() : 0.0;
    row_values(int(RowValue::background), i) = found.value;
    row_values(int(RowValue::correct), i) = is_known && row.best_class == row.target ? 1.0 : 0.0;
    row_values(int(RowValue::nearest), i) = row.best * nearest_factor;
    row_values(int(RowValue::included), i) = row.best < inclusion_median ? 1.0 : 0.0;
  }
};

}  // namespace impl

/// A loss made of a formula. `columns` are all outputs of the head.
template <class Exec, class T, class Term>
class RowLoss final : public Loss<Exec, T> {
 public:
  RowLoss(const LossEntry& entry, const LossOptions& options, const LossShape& shape, Term term)
      : Loss<Exec, T>(shape, shape.classes + entry.extra_columns, Term::needs.feature_norm),
        name_(entry.name),
        term_(std::move(term)),
        scale_(shape.outputs == HeadOutputs::squared_distances ? -options.logit_scale : 1.0),
        median_(shape.outputs == HeadOutputs::squared_distances ? inclusion_median(shape.features)
                                                                : -Kokkos::Experimental::infinity_v<double>) {}

  std::string_view name() const override { return name_; }

 private:
  using typename Loss<Exec, T>::Weights;

  /// A pair counts once: both of its rows have the weight 1 / pairs.
  Weights weights(const double known_rows, const double background_rows) const override {
    Weights weights = Loss<Exec, T>::weights(known_rows, background_rows);
    if (Term::needs.partner) weights.known = weights.background = std::max(weights.known, weights.background);
    if (Term::needs.partner && (known_rows == 0 || background_rows == 0)) weights.known = weights.background = 0;
    return weights;
  }

  void launch(const Exec& exec, const LossInput<Exec, T>& input, const Weights& weights, const double lambda,
              const LossOutput<Exec, T>& output) override {
    const bool distances = this->shape().outputs == HeadOutputs::squared_distances;
    const impl::RowTiling<Exec> tiling(this->columns());
    Kokkos::parallel_for("bcr::losses::row_loss", tiling.policy(exec, input.outputs.extent_int(0)),
                         impl::RowLossKernel<Exec, T, Term>{
                             tiling, term_, input.outputs, input.features, input.labels, output.diff_outputs,
                             output.diff_features_factor, this->row_values(), this->shape().classes, scale_,
                             weights.classification, lambda * weights.known, lambda * weights.background,
                             distances ? 1.0 / this->shape().features : 1.0, median_});
  }

  std::string_view name_;
  Term term_;
  double scale_;
  double median_;
};

namespace impl {

template <class Term>
struct RowLossMaker {
  template <class Exec, class T>
  static std::unique_ptr<Objective<Exec, T>> make(const LossEntry& entry, const LossOptions& options,
                                                  const LossShape& shape) {
    return std::make_unique<RowLoss<Exec, T, Term>>(entry, options, shape, Term::of(options, shape));
  }
};

}  // namespace impl

/// The factories of a loss whose formula follows from options and sizes: Term::of(const LossOptions&, const LossShape&).
template <class Term>
PerInstance<ObjectiveMaker> row_loss_of() {
  return PerInstance<ObjectiveMaker>::of<impl::RowLossMaker<Term>>();
}

}  // namespace bcr::losses

#endif
