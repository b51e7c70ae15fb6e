#ifndef BCR_LOSSES_LOSS_HPP
#define BCR_LOSSES_LOSS_HPP

#include "losses/objective.hpp"

#include <array>
#include <cstddef>
#include <string_view>

namespace bcr::losses {

/// One batch after the forward pass of a head: B_k rows of known classes, then B_b rows of background.
/// Either part may be empty.
template <class Exec, class T>
struct LossInput {
  ConstMatrix<T, Exec> outputs;   ///< [B_k + B_b, columns]
  ConstMatrix<T, Exec> features;  ///< [B_k + B_b, n]
  ConstLabels<Exec> labels;       ///< [B_k], each in [0, C)

  /// Means are sums over these numbers of rows. 0 stands for B_k and B_b; a shard of a larger batch gives the counts of
  /// the whole batch, so that the sum over shards is the loss of the batch.
  double known_divisor = 0;
  double background_divisor = 0;
};

/// Where the gradient is written; every entry is.
template <class Exec, class T>
struct LossOutput {
  Matrix<T, Exec> diff_outputs;          ///< [B_k + B_b, columns]
  Vector<T, Exec> diff_features_factor;  ///< [B_k + B_b] if reads_features(), else may be empty: dL/df(i) has, besides
                                         ///< what comes through the outputs, the term factor(i) f(i)
};

/// The numbers of one batch, in the order of the device vector `parts`.
enum class LossPart : int {
  total,               ///< classification + lambda (background_known + background_unknown)
  classification,      ///< mean over the known rows of -log softmax(z)_y
  background_known,    ///< mean over the known rows of the background term, without lambda
  background_unknown,  ///< mean over the background rows
  accuracy,            ///< fraction of the known rows whose best class is their own
  known_nearest,       ///< mean over the known rows of min_c D^2 / n; for logits of max_c z
  background_nearest,  ///< mean over the background rows
  inclusion_rate       ///< fraction of the background rows with P_I > 1/2; for logits 0
};
inline constexpr int loss_part_count = 8;
inline constexpr std::array<std::string_view, loss_part_count> loss_part_names{
    "total",    "classification", "background_known",   "background_unknown",
    "accuracy", "known_nearest",  "background_nearest", "inclusion_rate"};

/// The parts on the host.
struct LossParts {
  std::array<double, loss_part_count> values{};
  double operator[](const LossPart part) const { return values[static_cast<std::size_t>(part)]; }
};

/// Copies the parts to the host; waits for exec.
template <class Exec>
LossParts read_parts(const Exec& exec, ConstVector<double, Exec> parts);

/// L = L_cf + lambda L_bg: softmax cross-entropy of the known rows, and a background term (registry.hpp): the objective
/// that is a sum over rows of the outputs. Reports the LossParts.
template <class Exec, class T>
class Loss : public Objective<Exec, T> {
 public:
  std::vector<std::string> numbers() const override;
  /// The outputs, and the features if reads_features().
  std::vector<std::string> differentiates() const override;
  void evaluate(const Exec& exec, const ObjectiveInput<Exec, T>& input, const nn::Tensors<Exec, T>& gradients,
                Vector<double, Exec> numbers) override;

  /// Value, gradient and parts of one batch. All arithmetic in double, every sum in the order of
  /// kernels/reduce/fixed_sum.hpp, the gradient rounded to T once. Two kernels, no allocation, asynchronous on exec.
  /// Shapes that do not fit are a ShapeError. A label outside [0, C) makes the loss NaN.
  void evaluate(const Exec& exec, const LossInput<Exec, T>& input, double lambda, const LossOutput<Exec, T>& output,
                Vector<double, Exec> parts);

  /// Whether the loss depends on the features other than through the outputs.
  bool reads_features() const { return reads_features_; }
  int columns() const { return columns_; }

 protected:
  Loss(const LossShape& shape, int columns, bool reads_features);

  /// The factors of a row's values and gradients in L. An empty mean is 0.
  struct Weights {
    double classification;  ///< 1 / B_k
    double known;           ///< of the background term, without lambda
    double background;
  };
  virtual Weights weights(double known_rows, double background_rows) const;

  /// What the rows report before the sums (row_loss.hpp): [row_value_count, most_rows].
  Matrix<double, Exec> row_values() const { return row_values_; }

 private:
  virtual void launch(const Exec& exec, const LossInput<Exec, T>& input, const Weights& weights, double lambda,
                      const LossOutput<Exec, T>& output) = 0;

  int columns_;
  bool reads_features_;
  Matrix<double, Exec> row_values_;
  Vector<T, Exec> diff_features_factor_;  ///< [most_rows] if the features are read
};

}  // namespace bcr::losses

#endif
