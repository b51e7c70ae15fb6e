#include "losses/absolute_error.hpp"
#include "losses/objective_maker.hpp"
#include "src/core/instances.hpp"

#include <string>

namespace bcr::losses {
namespace {

/// The row of another class than row i that follows it first, the rows 0 ... known - 1 being a ring; none: i. A batch
/// is in random order, so this is a random image.
template <class LabelView>
KOKKOS_FUNCTION int next_of_other_class(const LabelView& labels, const int i, const int known) {
  for (int step = 1; step < known; ++step) {
    const int j = i + step < known ? i + step : i + step - known;
    if (labels(j) != labels(i)) return j;
  }
  return i;
}

/// Of row i: |G(z_y) - x_i| and |G(z_k) - x_j| over the numbers of an image, with their gradients. Zeros from row
/// `known` on, and for the second where the batch has no other class.
template <class Exec, class T>
struct ConditionedErrorRow {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;

  Matrix<T, Exec> images;
  Matrix<T, Exec> reconstructions;
  ConstLabels<Exec> labels;
  Matrix<T, Exec> diff;
  Matrix<double, Exec> errors;  ///< [2, rows or more]
  int known;
  double match;  ///< factors of the gradients
  double other;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const int i = team.league_rank(), size = images.extent_int(1);
    const int j = i < known ? next_of_other_class(labels, i, known) : i;
    const bool has_match = i < known, has_other = j != i;
    double* const scratch = kernels::sum_scratch(team);
    const auto error = [&](const int to, const int first, const double factor) {
      return team_absolute_error<Member, Exec, T>(team, scratch, images, to, reconstructions, i, first, diff, factor);
    };
    const double to_own = error(i, 0, has_match ? match : 0.0);
    const double to_other = error(j, size, has_other ? other : 0.0);
    Kokkos::single(Kokkos::PerTeam(team), [&] {
      errors(0, i) = has_match ? to_own : 0.0;
      errors(1, i) = has_other ? to_other : 0.0;
    });
  }
};

/// The total in place of that of the classification, and the two means behind its numbers.
template <class Exec>
struct JoinConditions {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;

  Matrix<double, Exec> errors;
  Vector<double, Exec> numbers;
  int rows;
  double weight;
  double share;
  double lambda;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    double* const scratch = kernels::sum_scratch(team);
    const auto of_match = [&](const int i, const double sum) { return sum + errors(0, i); };
    const auto of_other = [&](const int i, const double sum) { return sum + errors(1, i); };
    const double match = weight * kernels::team_sum(team, scratch, rows, of_match);
    const double other = weight * kernels::team_sum(team, scratch, rows, of_other);
    Kokkos::single(Kokkos::PerTeam(team), [&] {
      numbers(0) = lambda * Kokkos::fma(share, match, (1 - share) * other);
      numbers(loss_part_count) = match;
      numbers(loss_part_count + 1) = other;
    });
  }
};

/// The second stage of C2AE: the decoder learns to make an image x_i from its features and its class, and another
/// image, x_j of another class, from the same features and another class:
///   L = lambda / (B P) sum_i (alpha |G(z_y) - x_i|_1 + (1 - alpha) |G(z_k) - x_j|_1).
/// Of the classification, which was trained before, it tells the numbers; its gradient is zero. Background rows take no
/// part. All arithmetic in double, sums in the order of fixed_sum.hpp.
template <class Exec, class T>
class C2aeLoss final : public Objective<Exec, T> {
 public:
  C2aeLoss(const LossOptions& options, const LossShape& shape)
      : Objective<Exec, T>(shape),
        share_(options.c2ae.match),
        classification_(make_classification<Exec, T>(options, shape)),
        errors_("bcr::losses::conditioned_errors", 2, shape.most_rows) {}

  std::string_view name() const override { return "c2ae"; }
  std::vector<std::string> numbers() const override {
    std::vector<std::string> names = classification_->numbers();
    names.insert(names.end(), {"match", "non_match"});
    return names;
  }
  std::vector<std::string> differentiates() const override {
    std::vector<std::string> names = classification_->differentiates();
    names.emplace_back("reconstructions");
    return names;
  }

  void evaluate(const Exec& exec, const ObjectiveInput<Exec, T>& input, const nn::Tensors<Exec, T>& gradients,
                Vector<double, Exec> numbers) override {
    ObjectiveInput<Exec, T> rows_alone = input;
    rows_alone.lambda = 0;
    classification_->evaluate(exec, rows_alone, gradients,
                              Vector<double, Exec>(numbers.data(), std::size_t(loss_part_count)));
    Kokkos::deep_copy(exec, gradients.matrix("logits"), T(0));

    const Matrix<T, Exec> images = input.tensors.matrix("images");
    const Matrix<T, Exec> reconstructions = input.tensors.matrix("reconstructions");
    const Matrix<T, Exec> diff = gradients.matrix("reconstructions");
    require_shape("C2aeLoss", "reconstructions", reconstructions, {images.extent(0), 2 * images.extent(1)});
    require_shape("C2aeLoss", "gradient", diff, bcr::shape(reconstructions));
    const int rows = images.extent_int(0);
    const int known = input.labels.extent_int(0);
    const double divisor = input.known_divisor > 0 ? input.known_divisor : double(known);
    const double weight = divisor > 0 ? 1.0 / (divisor * double(images.extent(1))) : 0.0;
    if (rows > 0)
      Kokkos::parallel_for("bcr::losses::conditioned_errors", summing_teams(exec, rows),
                           ConditionedErrorRow<Exec, T>{images, reconstructions, input.labels, diff, errors_, known,
                                                        input.lambda * share_ * weight,
                                                        input.lambda * (1 - share_) * weight});
    Kokkos::parallel_for("bcr::losses::conditioned_sum", summing_teams(exec, 1),
                         JoinConditions<Exec>{errors_, numbers, known, weight, share_, input.lambda});
  }

 private:
  double share_;
  std::unique_ptr<Loss<Exec, T>> classification_;
  Matrix<double, Exec> errors_;
};

}  // namespace

LossEntry c2ae_loss() {
  return {.name = "c2ae",
          .title = "C2AE",
          .fits = LossEntry::Fits::logits,
          .reads = LossEntry::Reads::known,
          .reads_besides = "reconstructions",
          .lambda = 1,
          .formula = "lambda mean (alpha |G(z_y) - x| + (1 - alpha) |G(z_k) - x'|) of known samples, k and the class of "
                     "x' not y; no classification, no background term",
          .make = objective_of<C2aeLoss>()};
}

}  // namespace bcr::losses
