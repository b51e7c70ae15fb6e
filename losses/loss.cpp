#include "losses/loss.hpp"

#include "kernels/linear/linear.hpp"
#include "losses/row_loss.hpp"
#include "src/core/instances.hpp"

#include <string>

namespace bcr::losses {
namespace {

/// The sums over rows, each in the order of fixed_sum.hpp: one team, because there is little to add.
template <class Exec>
struct SumRows {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;

  Matrix<double, Exec> row_values;
  Vector<double, Exec> parts;
  int known;
  int rows;
  double classification_weight;
  double known_weight;
  double background_weight;
  double known_mean;  ///< 1 / B_k
  double background_mean;
  double lambda;

  struct Values {
    const double* values;
    KOKKOS_FORCEINLINE_FUNCTION double operator()(const int i, const double sum) const { return sum + values[i]; }
  };

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    double* const scratch = kernels::sum_scratch(team);
    const auto over_known = [&](const RowValue value) {
      return kernels::team_sum(team, scratch, known, Values{&row_values(int(value), 0)});
    };
    const auto over_background = [&](const RowValue value) {
      return kernels::team_sum(team, scratch, rows - known, Values{&row_values(int(value), 0) + known});
    };
    const double classification = classification_weight * over_known(RowValue::classification);
    const double background_known = Kokkos::fma(known_weight, over_known(RowValue::background), 0.0);
    const double background_unknown = Kokkos::fma(background_weight, over_background(RowValue::background), 0.0);
    const double accuracy = known_mean * over_known(RowValue::correct);
    const double known_nearest = known_mean * over_known(RowValue::nearest);
    const double background_nearest = background_mean * over_background(RowValue::nearest);
    const double inclusion_rate = background_mean * over_background(RowValue::included);
    Kokkos::single(Kokkos::PerTeam(team), [&] {
      const double background = background_known + background_unknown;  // infinite in numerics that overflow
      parts(int(LossPart::total)) = lambda == 0 ? classification : Kokkos::fma(lambda, background, classification);
      parts(int(LossPart::classification)) = classification;
      parts(int(LossPart::background_known)) = background_known;
      parts(int(LossPart::background_unknown)) = background_unknown;
      parts(int(LossPart::accuracy)) = accuracy;
      parts(int(LossPart::known_nearest)) = known_nearest;
      parts(int(LossPart::background_nearest)) = background_nearest;
      parts(int(LossPart::inclusion_rate)) = inclusion_rate;
    });
  }
};

double inverse(const double count) {
  return count > 0 ? 1.0 / count : 0.0;
}

}  // namespace

template <class Exec>
LossParts read_parts(const Exec& exec, ConstVector<double, Exec> parts) {
  require_shape("read_parts", "parts", parts, {std::size_t(loss_part_count)});
  LossParts read;
  const Kokkos::View<double*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged> host(read.values.data(), loss_part_count);
  Kokkos::deep_copy(exec, host, parts);
  exec.fence("bcr::losses::read_parts");
  return read;
}

template <class Exec, class T>
Loss<Exec, T>::Loss(const LossShape& shape, const int columns, const bool reads_features)
    : Objective<Exec, T>(shape),
      columns_(columns),
      reads_features_(reads_features),
      row_values_("bcr::losses::row_values", row_value_count, shape.most_rows),
      diff_features_factor_("bcr::losses::diff_features_factor", reads_features ? shape.most_rows : 0) {}

template <class Exec, class T>
std::vector<std::string> Loss<Exec, T>::numbers() const {
  return {loss_part_names.begin(), loss_part_names.end()};
}

template <class Exec, class T>
std::vector<std::string> Loss<Exec, T>::differentiates() const {
  std::vector<std::string> names{std::string(kernels::tensor_name(this->shape().outputs))};
  if (reads_features_) names.emplace_back("features");
  return names;
}

template <class Exec, class T>
void Loss<Exec, T>::evaluate(const Exec& exec, const ObjectiveInput<Exec, T>& input,
                             const nn::Tensors<Exec, T>& gradients, Vector<double, Exec> numbers) {
  const std::string_view outputs = kernels::tensor_name(this->shape().outputs);
  const Matrix<T, Exec> features = input.tensors.matrix("features");
  const Vector<T, Exec> factor(diff_features_factor_.data(), reads_features_ ? features.extent(0) : 0);
  evaluate(exec,
           {.outputs = input.tensors.matrix(outputs),
            .features = features,
            .labels = input.labels,
            .known_divisor = input.known_divisor,
            .background_divisor = input.background_divisor},
           input.lambda, {.diff_outputs = gradients.matrix(outputs), .diff_features_factor = factor}, numbers);
  if (reads_features_) kernels::scale_rows<Exec, T>(exec, factor, features, gradients.matrix("features"));
}

template <class Exec, class T>
typename Loss<Exec, T>::Weights Loss<Exec, T>::weights(const double known_rows, const double background_rows) const {
  return {inverse(known_rows), inverse(known_rows), inverse(background_rows)};
}

template <class Exec, class T>
void Loss<Exec, T>::evaluate(const Exec& exec, const LossInput<Exec, T>& input, const double lambda,
                             const LossOutput<Exec, T>& output, Vector<double, Exec> parts) {
  const std::size_t rows = input.outputs.extent(0);
  const std::size_t known = input.labels.extent(0);
  if (rows > std::size_t(this->shape().most_rows) || known > rows) {
    throw ShapeError("Loss::evaluate", "at most " + std::to_string(this->shape().most_rows) + " rows, known ones among them",
                     std::to_string(rows) + " rows, " + std::to_string(known) + " labels");
  }
  require_shape("Loss::evaluate", "outputs", input.outputs, {rows, std::size_t(columns_)});
  require_shape("Loss::evaluate", "diff_outputs", output.diff_outputs, {rows, std::size_t(columns_)});
  require_shape("Loss::evaluate", "parts", parts, {std::size_t(loss_part_count)});
  if (reads_features()) {
    require_shape("Loss::evaluate", "features", input.features, {rows, std::size_t(this->shape().features)});
    require_shape("Loss::evaluate", "diff_features_factor", output.diff_features_factor, {rows});
  } else if (output.diff_features_factor.extent(0) > 0) {
    require_shape("Loss::evaluate", "diff_features_factor", output.diff_features_factor, {rows});
  }
  const double known_rows = input.known_divisor > 0 ? input.known_divisor : double(known);
  const double background_rows = input.background_divisor > 0 ? input.background_divisor : double(rows - known);
  const Weights factors = weights(known_rows, background_rows);
  if (rows > 0) launch(exec, input, factors, lambda, output);
  Kokkos::parallel_for("bcr::losses::sum_rows",
                       block_policy(exec, 1, 64).set_scratch_size(0, Kokkos::PerTeam(kernels::sum_scratch_bytes)),
                       SumRows<Exec>{row_values_, parts, int(known), int(rows), factors.classification, factors.known,
                                     factors.background, inverse(known_rows), inverse(background_rows), lambda});
}

#define BCR_INSTANCE(Exec) template LossParts read_parts<Exec>(const Exec&, ConstVector<double, Exec>);
BCR_FOR_EACH_EXEC(BCR_INSTANCE)
#undef BCR_INSTANCE
#define BCR_INSTANCE(Exec, T) template class Loss<Exec, T>;
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::losses
