#ifndef BCR_TESTS_SUPPORT_LOSS_RUN_HPP
#define BCR_TESTS_SUPPORT_LOSS_RUN_HPP

#include "losses/registry.hpp"
#include "tests/reference/losses.hpp"
#include "tests/support/host_matrix.hpp"

#include <memory>
#include <string>
#include <vector>

namespace bcr::test {

using losses::HeadOutputs;
using losses::LossOptions;
using losses::LossPart;
using losses::LossParts;
using reference::LossBatch;

inline LossOptions loss_options(const std::string& name) {
  LossOptions options;
  options.name = name;
  return options;
}

/// The outputs a loss is published for.
inline HeadOutputs usual_outputs(const std::string& name) {
  return losses::all_losses().find(name).fits == losses::LossEntry::Fits::logits ? HeadOutputs::logits
                                                                         : HeadOutputs::squared_distances;
}

/// Random outputs of both sides of every hinge: squared distances about n, or logits of order 3.
inline LossBatch random_batch(const LossOptions& options, const HeadOutputs outputs, const int known,
                              const int background, const int classes, const int features, const unsigned seed) {
  const int columns = losses::output_columns(options, classes);
  const bool distances = outputs == HeadOutputs::squared_distances;
  LossBatch batch{outputs, classes,
                  distances ? random_reals<double>(known + background, columns, 0.3 * features, 1.9 * features, seed)
                            : random_reals<double>(known + background, columns, -6, 6, seed),
                  random_reals<double>(known + background, features, -1, 1, seed + 1), {}};
  for (double& entry : batch.outputs.entries) entry = static_cast<float>(entry);  // exact in either type
  for (double& entry : batch.features.entries) entry = static_cast<float>(entry);
  const auto labels = random_integers<int>(known, 1, 0, classes - 1, seed + 2);
  for (int i = 0; i < known; ++i) batch.labels.push_back(labels(i, 0));
  for (int i = 0; distances && i < known; i += 2) {  // every other known row is nearest to its own anchor
    for (int c = 0; c < classes; ++c)
      if (batch.outputs(i, c) < batch.outputs(i, batch.labels[i]))
        std::swap(batch.outputs(i, c), batch.outputs(i, batch.labels[i]));
  }
  return batch;
}

template <class To, class From>
HostMatrix<To> converted(const HostMatrix<From>& matrix) {
  HostMatrix<To> result(matrix.rows, matrix.columns);
  for (std::size_t k = 0; k < matrix.entries.size(); ++k) result.entries[k] = static_cast<To>(matrix.entries[k]);
  return result;
}

template <class T>
struct LossRun {
  LossParts parts;
  std::vector<T> diff_outputs;
  std::vector<T> diff_features_factor;
};

/// A loss with buffers for one batch; run() evaluates it.
template <class Exec, class T>
struct LossProblem {
  LossProblem(const LossOptions& options, const LossBatch& batch)
      : loss(losses::make_loss<Exec, T>(
            options, {batch.outputs_are, batch.classes, batch.features.columns, std::max(batch.rows(), 1)})),
        outputs(to_device<Exec>(converted<T>(batch.outputs))),
        features(to_device<Exec>(converted<T>(batch.features))),
        input{outputs, features, to_device<Exec>(batch.labels)},
        output{Matrix<T, Exec>("bcr::tests::diff_outputs", batch.rows(), batch.outputs.columns),
               Vector<T, Exec>("bcr::tests::diff_features_factor", batch.rows())},
        parts("bcr::tests::parts", losses::loss_part_count) {
    Kokkos::deep_copy(output.diff_outputs, T(77));  // every entry must be written
    Kokkos::deep_copy(output.diff_features_factor, T(77));
  }

  /// Other outputs and features of the same shapes; the loss stays as it was made.
  void refill(const LossBatch& batch) {
    Kokkos::deep_copy(outputs, to_device<Exec>(converted<T>(batch.outputs)));
    Kokkos::deep_copy(features, to_device<Exec>(converted<T>(batch.features)));
  }

  void step(const double lambda) { loss->evaluate(exec, input, lambda, output, parts); }

  LossRun<T> run(const double lambda) {
    step(lambda);
    const LossParts read = losses::read_parts<Exec>(exec, parts);
    return {read, to_host(output.diff_outputs), to_host(output.diff_features_factor)};
  }

  Exec exec;
  std::unique_ptr<losses::Loss<Exec, T>> loss;
  Matrix<T, Exec> outputs, features;
  losses::LossInput<Exec, T> input;
  losses::LossOutput<Exec, T> output;
  Vector<double, Exec> parts;
};

template <class Exec, class T>
LossRun<T> run_loss(const LossOptions& options, const LossBatch& batch, const double lambda) {
  return LossProblem<Exec, T>(options, batch).run(lambda);
}

}  // namespace bcr::test

#endif
