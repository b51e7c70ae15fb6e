#include "kernels/gaussian/gaussian_element.hpp"
#include "losses/objective_maker.hpp"
#include "losses/squared_error.hpp"
#include "src/core/instances.hpp"

#include <cmath>
#include <string>

namespace bcr::losses {
namespace {

/// The trained means y_c = W_c + b of the class-conditional priors N(y_c, I).
template <class Exec, class T>
struct PriorMeans {
  ConstMatrix<T, Exec> weights;  ///< [C, d]
  ConstVector<T, Exec> bias;     ///< [d]

  KOKKOS_FUNCTION double operator()(const int c, const int j) const { return double(weights(c, j)) + double(bias(j)); }
};

/// Of one row: KL(N(mu, v) | N(y_label, I)) of the highest level, 1/2 sum_j [v - log v + (mu_j - y_j)^2 - 1], and the
/// divergences of the other levels; gradients with `factor`, 0 for rows that do not count.
template <class Exec, class T>
struct DivergenceRow {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;

  Matrix<T, Exec> top;          ///< [N, 2 d]
  Matrix<T, Exec> divergence;   ///< [N, levels]
  ConstLabels<Exec> labels;
  PriorMeans<Exec, T> means;
  Matrix<T, Exec> diff_top;
  Matrix<T, Exec> diff_divergence;
  Vector<double, Exec> row_divergences;
  int d;
  int classes;
  int known;
  double factor;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const int i = team.league_rank();
    const int label = i < known ? labels(i) : -1;
    const bool counts = label >= 0 && label < classes;
    const auto accumulate = [&](const int j, const double sum) {
      const kernels::GaussianElement q{.mean = double(top(i, j)), .raw = double(top(i, d + j))};
      const double apart = counts ? q.mean - means(label, j) : 0.0;
      const double v = q.variance();
      diff_top(i, j) = counts ? T(factor * apart) : T(0);
      diff_top(i, d + j) = counts ? T(factor * 0.5 * (1 - 1 / v) * q.slope()) : T(0);
      return sum + 0.5 * (v - kernels::strict::log(v) + apart * apart - 1);
    };
    double total = kernels::team_sum(team, kernels::sum_scratch(team), d, accumulate);
    for (int l = 0; l < divergence.extent_int(1); ++l) total += double(divergence(i, l));
    Kokkos::single(Kokkos::PerTeam(team), [&] {
      row_divergences(i) = counts ? total : 0.0;
      for (int l = 0; l < divergence.extent_int(1); ++l) diff_divergence(i, l) = counts ? T(factor) : T(0);
    });
  }
};

/// dL/dW_cj = factor sum over rows of class c of (y_cj - mu_j); the team after those of the classes: dL/db_j, over all.
template <class Exec, class T>
struct PriorGradient {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;

  Matrix<T, Exec> top;
  ConstLabels<Exec> labels;
  PriorMeans<Exec, T> means;
  Matrix<T, Exec> diff_weights;
  Vector<T, Exec> diff_bias;
  int d;
  int classes;
  int known;
  double factor;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const int c = team.league_rank() / d;
    const int j = team.league_rank() % d;
    const auto accumulate = [&](const int i, const double sum) {
      const int label = labels(i);
      const bool counts = c < classes ? label == c : label >= 0 && label < classes;
      return counts ? sum + (means(label, j) - double(top(i, j))) : sum;
    };
    const double total = factor * kernels::team_sum(team, kernels::sum_scratch(team), known, accumulate);
    Kokkos::single(Kokkos::PerTeam(team), [&] {
      if (c < classes) {
        diff_weights(c, j) = T(total);
      } else {
        diff_bias(j) = T(total);
      }
    });
  }
};

template <class Exec, class T>
struct Scale {
  Matrix<T, Exec> values;
  double factor;

  KOKKOS_FUNCTION void operator()(const std::size_t e) const {
    T& value = values.data()[e];
    value = T(factor * double(value));
  }
};

/// The total of the numbers, and the two that the classification does not have.
template <class Exec>
struct JoinTerms {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;

  Vector<double, Exec> row_errors;
  Vector<double, Exec> row_divergences;
  Vector<double, Exec> numbers;
  int rows;
  double classification;  ///< the factors of the terms
  double error;
  double divergence;
  double lambda;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    double* const scratch = kernels::sum_scratch(team);
    const auto of_errors = [&](const int i, const double sum) { return sum + row_errors(i); };
    const auto of_divergences = [&](const int i, const double sum) { return sum + row_divergences(i); };
    const double errors = error * kernels::team_sum(team, scratch, rows, of_errors);
    const double divergences = divergence * kernels::team_sum(team, scratch, rows, of_divergences);
    Kokkos::single(Kokkos::PerTeam(team), [&] {
      numbers(0) = Kokkos::fma(lambda, divergences, Kokkos::fma(classification, numbers(0), errors));
      numbers(loss_part_count) = errors;
      numbers(loss_part_count + 1) = divergences;
    });
  }
};

/// Of the known rows, the mean over rows of
///   w (-log softmax(z)_y) + |r - x|^2 + lambda (KL(N(mu, v) | N(y_label, I)) + sum over the other levels of theirs):
/// a ladder VAE whose highest Gaussian has a prior for each class, with a classifier. |r - x|^2 is the sum over the
/// numbers of an image, or, as in the published code, their mean. All arithmetic in double, sums in the order of
/// fixed_sum.hpp. The prior has parameters: prior.weights [C, d], prior.bias [d].
template <class Exec, class T>
class CgdlLoss final : public Objective<Exec, T> {
 public:
  CgdlLoss(const LossOptions& options, const LossShape& shape)
      : Objective<Exec, T>(shape),
        options_(options.cgdl),
        classification_(make_classification<Exec, T>(options, shape)),
        row_errors_("bcr::losses::row_errors", shape.most_rows),
        row_divergences_("bcr::losses::row_divergences", shape.most_rows) {}

  std::string_view name() const override { return "cgdl"; }
  std::vector<std::string> numbers() const override {
    std::vector<std::string> names = classification_->numbers();
    names.insert(names.end(), {"reconstruction", "divergence"});
    return names;
  }
  std::vector<std::string> differentiates() const override {
    std::vector<std::string> names = classification_->differentiates();
    names.insert(names.end(), {"reconstruction", "top", "divergence"});
    return names;
  }

  void add_parameters(nn::ParameterStore<Exec, T>& parameters) override {
    const auto classes = static_cast<std::size_t>(this->shape().classes);
    const auto d = static_cast<std::size_t>(this->shape().features);
    const nn::Initializer initial{nn::Fill::uniform, 1 / std::sqrt(double(classes))};
    parameters_ = &parameters;
    weights_ = parameters.add({.name = "prior.weights", .extents = {classes, d}, .initial = initial});
    bias_ = parameters.add({.name = "prior.bias", .extents = {d}, .initial = initial});
  }

  void evaluate(const Exec& exec, const ObjectiveInput<Exec, T>& input, const nn::Tensors<Exec, T>& gradients,
                Vector<double, Exec> numbers) override {
    ObjectiveInput<Exec, T> rows_alone = input;
    rows_alone.lambda = 0;
    classification_->evaluate(exec, rows_alone, gradients,
                              Vector<double, Exec>(numbers.data(), std::size_t(loss_part_count)));
    const Matrix<T, Exec> diff_logits = gradients.matrix("logits");
    if (diff_logits.size() > 0)
      Kokkos::parallel_for("bcr::losses::scale", Elements(exec, 0, diff_logits.size()),
                           Scale<Exec, T>{diff_logits, options_.classification});

    const int known = input.labels.extent_int(0);
    const double divisor = input.known_divisor > 0 ? input.known_divisor : double(known);
    const double mean = divisor > 0 ? 1.0 / divisor : 0.0;
    const double error = options_.reconstruction == CgdlReconstruction::mean
                             ? mean / double(input.tensors.matrix("images").extent(1))
                             : mean;
    reconstruct(exec, input, gradients, known, 2.0 * error);
    diverge(exec, input, gradients, known, input.lambda * mean);
    Kokkos::parallel_for("bcr::losses::cgdl_sum", summing_teams(exec, 1),
                         JoinTerms<Exec>{row_errors_, row_divergences_, numbers, known, options_.classification, error,
                                         mean, input.lambda});
  }

 private:
  using Elements = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>;

  void reconstruct(const Exec& exec, const ObjectiveInput<Exec, T>& input, const nn::Tensors<Exec, T>& gradients,
                   const int known, const double factor) {
    const Matrix<T, Exec> images = input.tensors.matrix("images");
    const Matrix<T, Exec> reconstruction = input.tensors.matrix("reconstruction");
    const Matrix<T, Exec> diff = gradients.matrix("reconstruction");
    require_shape("CgdlLoss", "reconstruction", reconstruction, bcr::shape(images));
    require_shape("CgdlLoss", "gradient", diff, bcr::shape(images));
    const int rows = images.extent_int(0);
    if (rows > 0)
      Kokkos::parallel_for("bcr::losses::reconstruction", summing_teams(exec, rows),
                           SquaredErrorRow<Exec, T>{images, reconstruction, diff, row_errors_, known, factor});
  }

  void diverge(const Exec& exec, const ObjectiveInput<Exec, T>& input, const nn::Tensors<Exec, T>& gradients,
               const int known, const double factor) {
    const int classes = this->shape().classes;
    const int d = this->shape().features;
    const Matrix<T, Exec> top = input.tensors.matrix("top");
    const Matrix<T, Exec> divergence = input.tensors.matrix("divergence");
    require_shape("CgdlLoss", "top", top, {top.extent(0), std::size_t(2 * d)});
    require<ShapeError>(parameters_ != nullptr, "CgdlLoss", "its parameters in a store", "none");
    const PriorMeans<Exec, T> means{parameters_->matrix(weights_), parameters_->values(bias_)};
    const int rows = top.extent_int(0);
    if (rows > 0)
      Kokkos::parallel_for("bcr::losses::divergence", summing_teams(exec, rows),
                           DivergenceRow<Exec, T>{top, divergence, input.labels, means, gradients.matrix("top"),
                                                  gradients.matrix("divergence"), row_divergences_, d, classes, known,
                                                  factor});
    Kokkos::parallel_for("bcr::losses::prior_gradient", summing_teams(exec, (classes + 1) * d),
                         PriorGradient<Exec, T>{top, input.labels, means, parameters_->matrix_gradients(weights_),
                                                parameters_->gradients(bias_), d, classes, known, factor});
  }

  CgdlOptions options_;
  std::unique_ptr<Loss<Exec, T>> classification_;
  Vector<double, Exec> row_errors_;
  Vector<double, Exec> row_divergences_;
  nn::ParameterStore<Exec, T>* parameters_ = nullptr;
  int weights_ = 0;
  int bias_ = 0;
};

}  // namespace

LossEntry cgdl_loss() {
  return {.name = "cgdl",
          .title = "CGDL",
          .fits = LossEntry::Fits::logits,
          .reads = LossEntry::Reads::known,
          .reads_besides = "top",
          .lambda = 1,
          .formula = "-100 log softmax(z)_y + |r - x|^2 + lambda KL to Gaussians of classes, of known samples; no "
                     "background term",
          .make = objective_of<CgdlLoss>()};
}

}  // namespace bcr::losses
