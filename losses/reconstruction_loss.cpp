#include "losses/objective_maker.hpp"
#include "losses/squared_error.hpp"
#include "src/core/instances.hpp"

#include <string>

namespace bcr::losses {
namespace {

/// Adds the errors of the rows to the numbers of the classification.
template <class Exec>
struct JoinErrors {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;

  Vector<double, Exec> row_errors;
  Vector<double, Exec> numbers;
  int rows;
  double weight;
  double lambda;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const auto accumulate = [&](const int i, const double sum) { return sum + row_errors(i); };
    const double error = weight * kernels::team_sum(team, kernels::sum_scratch(team), rows, accumulate);
    Kokkos::single(Kokkos::PerTeam(team), [&] {
      numbers(0) = Kokkos::fma(lambda, error, numbers(0));
      numbers(loss_part_count) = error;
    });
  }
};

/// Softmax cross-entropy of the known rows and, lambda times, the mean over rows, pixels and channels of the squared
/// difference between image x and reconstruction r:
///   L = 1/B sum_i -log softmax(z_i)_y + lambda / (B P) sum_i |r_i - x_i|^2,   dL/dr_i = 2 lambda / (B P) (r_i - x_i).
/// Background rows, if there are any, take no part. All arithmetic in double, sums in the order of fixed_sum.hpp.
template <class Exec, class T>
class ReconstructionLoss final : public Objective<Exec, T> {
 public:
  ReconstructionLoss(const LossOptions& options, const LossShape& shape)
      : Objective<Exec, T>(shape),
        classification_(make_classification<Exec, T>(options, shape)),
        row_errors_("bcr::losses::row_errors", shape.most_rows) {}

  std::string_view name() const override { return "reconstruction"; }
  std::vector<std::string> numbers() const override {
    std::vector<std::string> names = classification_->numbers();
    names.emplace_back("reconstruction");
    return names;
  }
  std::vector<std::string> differentiates() const override {
    std::vector<std::string> names = classification_->differentiates();
    names.emplace_back("reconstruction");
    return names;
  }

  void evaluate(const Exec& exec, const ObjectiveInput<Exec, T>& input, const nn::Tensors<Exec, T>& gradients,
                Vector<double, Exec> numbers) override {
    ObjectiveInput<Exec, T> rows_alone = input;
    rows_alone.lambda = 0;
    classification_->evaluate(exec, rows_alone, gradients,
                              Vector<double, Exec>(numbers.data(), std::size_t(loss_part_count)));

    const Matrix<T, Exec> images = input.tensors.matrix("images");
    const Matrix<T, Exec> reconstruction = input.tensors.matrix("reconstruction");
    const Matrix<T, Exec> diff = gradients.matrix("reconstruction");
    require_shape("ReconstructionLoss", "reconstruction", reconstruction, bcr::shape(images));
    require_shape("ReconstructionLoss", "gradient", diff, bcr::shape(images));
    const int rows = images.extent_int(0);
    const int known = input.labels.extent_int(0);
    const double divisor = input.known_divisor > 0 ? input.known_divisor : double(known);
    const double weight = divisor > 0 ? 1.0 / (divisor * double(images.extent(1))) : 0.0;
    if (rows > 0)
      Kokkos::parallel_for("bcr::losses::reconstruction", summing_teams(exec, rows),
                           SquaredErrorRow<Exec, T>{images, reconstruction, diff, row_errors_, known,
                                                    2.0 * input.lambda * weight});
    Kokkos::parallel_for("bcr::losses::reconstruction_sum", summing_teams(exec, 1),
                         JoinErrors<Exec>{row_errors_, numbers, known, weight, input.lambda});
  }

 private:
  std::unique_ptr<Loss<Exec, T>> classification_;
  Vector<double, Exec> row_errors_;
};

}  // namespace

LossEntry reconstruction_loss() {
  return {.name = "reconstruction",
          .title = "CROSR",
          .fits = LossEntry::Fits::logits,
          .reads = LossEntry::Reads::known,
          .reads_besides = "reconstruction",
          .lambda = 1,
          .formula = "-log softmax(z)_y + lambda mean (r - x)^2 of known samples; no background term",
          .make = objective_of<ReconstructionLoss>()};
}

}  // namespace bcr::losses
