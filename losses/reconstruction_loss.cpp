#include "kernels/reduce/fixed_sum.hpp"
#include "losses/registry.hpp"
#include "src/core/instances.hpp"
#include "src/core/launch.hpp"

#include <string>

namespace bcr::losses {
namespace {

/// Of one row: the sum of (r - x)^2 over its numbers, and the gradient `factor` (r - x). One team for each.
template <class Exec, class T>
struct SquaredErrorRow {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;

  Matrix<T, Exec> images;
  Matrix<T, Exec> reconstruction;
  Matrix<T, Exec> diff;
  Vector<double, Exec> row_errors;
  int known;
  double factor;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const int i = team.league_rank();
    const bool counts = i < known;
    const auto accumulate = [&](const int k, const double sum) {
      const double difference = double(reconstruction(i, k)) - double(images(i, k));
      diff(i, k) = counts ? T(factor * difference) : T(0);
      return Kokkos::fma(difference, difference, sum);
    };
    const double error = kernels::team_sum(team, kernels::sum_scratch(team), images.extent_int(1), accumulate);
    Kokkos::single(Kokkos::PerTeam(team), [&] { row_errors(i) = counts ? error : 0.0; });
  }
};

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
        classification_(make_loss<Exec, T>(only_classification(options), shape)),
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
    const auto policy = [&](const int teams) {
      return block_policy(exec, teams, 64).set_scratch_size(0, Kokkos::PerTeam(kernels::sum_scratch_bytes));
    };
    if (rows > 0)
      Kokkos::parallel_for("bcr::losses::reconstruction", policy(rows),
                           SquaredErrorRow<Exec, T>{images, reconstruction, diff, row_errors_, known,
                                                    2.0 * input.lambda * weight});
    Kokkos::parallel_for("bcr::losses::reconstruction_sum", policy(1),
                         JoinErrors<Exec>{row_errors_, numbers, known, weight, input.lambda});
  }

 private:
  static LossOptions only_classification(LossOptions options) {
    options.name = "none";
    return options;
  }

  std::unique_ptr<Loss<Exec, T>> classification_;
  Vector<double, Exec> row_errors_;
};

struct MakeReconstructionLoss {
  template <class Exec, class T>
  static std::unique_ptr<Objective<Exec, T>> make(const LossEntry&, const LossOptions& options,
                                                  const LossShape& shape) {
    return std::make_unique<ReconstructionLoss<Exec, T>>(options, shape);
  }
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
          .make = PerInstance<ObjectiveMaker>::of<MakeReconstructionLoss>()};
}

}  // namespace bcr::losses
