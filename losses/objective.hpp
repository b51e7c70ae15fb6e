#ifndef BCR_LOSSES_OBJECTIVE_HPP
#define BCR_LOSSES_OBJECTIVE_HPP

#include "kernels/linear/head_outputs.hpp"
#include "src/nn/parameters.hpp"
#include "src/nn/tensors.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace bcr::losses {

using kernels::HeadOutputs;

/// What an objective must know before the first batch. The columns of the outputs are output_columns(...) of
/// registry.hpp.
struct LossShape {
  HeadOutputs outputs = HeadOutputs::squared_distances;
  int classes = 0;    ///< C, the known classes
  int features = 0;   ///< n
  int most_rows = 0;  ///< the largest B_k + B_b
};

/// A batch, or a shard of one, after the forward pass: B_k rows of known classes, then B_b rows of background. Either
/// part may be empty.
template <class Exec, class T>
struct ObjectiveInput {
  nn::Tensors<Exec, T> tensors;  ///< what went into the model ("images") and what came out of it ("features", "logits"
                                 ///< or "squared_distances", and what else its backbone names)
  ConstLabels<Exec> labels;      ///< [B_k], each in [0, C)
  double lambda = 0;

  /// Means are sums over these numbers of rows. 0 stands for B_k and B_b; a shard of a larger batch gives the counts of
  /// the whole batch, so that the sum over shards is the objective of the batch.
  double known_divisor = 0;
  double background_divisor = 0;
};

/// The numbers of an objective on the host.
struct NamedNumbers {
  std::vector<std::string> names;
  std::vector<double> values;

  /// NaN if there is none of this name.
  double operator[](const std::string_view name) const {
    const auto found = std::find(names.begin(), names.end(), name);
    return found == names.end() ? std::numeric_limits<double>::quiet_NaN() : values[std::size_t(found - names.begin())];
  }
};

/// Copies the numbers of a batch to the host; waits for exec.
template <class Exec>
std::vector<double> read_numbers(const Exec& exec, ConstVector<double, Exec> numbers) {
  std::vector<double> values(numbers.size());
  const Kokkos::View<double*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged> host(values.data(), values.size());
  Kokkos::deep_copy(exec, host, numbers);
  exec.fence("bcr::losses::read_numbers");
  return values;
}

/// What training minimises: a number made of named tensors, with its gradients by them. Made once; owns every buffer it
/// needs. Losses that are a formula of single rows share one implementation (row_loss.hpp).
template <class Exec, class T>
class Objective {
 public:
  virtual ~Objective() = default;
  Objective(const Objective&) = delete;
  Objective& operator=(const Objective&) = delete;

  virtual std::string_view name() const = 0;
  const LossShape& shape() const { return shape_; }

  /// The names of the numbers it reports of a batch, which the log carries. The first is the value that is minimised.
  /// All are sums over rows with the divisors of the input: those of shards add up to those of the batch.
  virtual std::vector<std::string> numbers() const = 0;

  /// The tensors by which it has a gradient, all of which evaluate() writes. A gradient by "features" is the direct one:
  /// what comes through the outputs of the head is added by the head.
  virtual std::vector<std::string> differentiates() const = 0;

  /// Adds parameters of its own, which are trained and saved with those of the model. The store outlives this; its
  /// gradients are to be found anew in every evaluate(), which writes them.
  virtual void add_parameters(nn::ParameterStore<Exec, T>& /*parameters*/) {}

  /// Numbers and gradients of one batch. Asynchronous on exec, allocates nothing after the first call.
  virtual void evaluate(const Exec& exec, const ObjectiveInput<Exec, T>& input, const nn::Tensors<Exec, T>& gradients,
                        Vector<double, Exec> numbers) = 0;

 protected:
  explicit Objective(const LossShape& shape) : shape_(shape) {}

 private:
  LossShape shape_;
};

}  // namespace bcr::losses

#endif
