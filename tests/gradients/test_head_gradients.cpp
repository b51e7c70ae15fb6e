#include "losses/registry.hpp"
#include "models/heads/registry.hpp"
#include "tests/support/exec_spaces.hpp"
#include "tests/support/host_matrix.hpp"
#include "tests/support/tolerance.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

// A head and a loss as one function of features and parameters, against central differences of fourth order in double.
namespace bcr::test {
namespace {

using losses::HeadOutputs;

template <class Exec>
struct HeadAndLoss {
  static constexpr int known = 5, background = 4, rows = known + background, n = 6, classes = 3;

  explicit HeadAndLoss(const losses::LossOptions& options)
      : lambda(0.7),
        store(nn::Gradients::kept),
        head(models::make_head<Exec, double>(
            {.name = losses::all_losses().find(options.name).accepts(HeadOutputs::squared_distances) ? "distance" : "linear"},
            store, n, losses::output_columns(options, classes), rows)),
        loss(losses::make_loss<Exec, double>(options, {head->outputs(), classes, n, rows})),
        features(random_reals<double>(rows, n, -1, 1, 31)),
        labels(to_device<Exec>(std::vector<std::int32_t>{0, 1, 2, 0, 2})),
        outputs("bcr::tests::outputs", rows, head->columns()),
        diff_outputs("bcr::tests::diff_outputs", rows, head->columns()),
        diff_features("bcr::tests::diff_features", rows, n),
        parts("bcr::tests::parts", losses::loss_part_count) {
    store.allocate(exec, 11);
    exec.fence();
    values = to_host(store.values());
  }

  /// The loss at `features` and `values`; the gradients are left on the device.
  double operator()() {
    Kokkos::deep_copy(store.values(), to_device<Exec>(values));
    const auto f = to_device<Exec>(features);
    head->forward(exec, f, outputs);
    nn::Tensors<Exec, double> tensors, gradients;
    tensors.set("features", f);
    tensors.set(kernels::tensor_name(head->outputs()), outputs);
    gradients.set("features", diff_features);
    gradients.set(kernels::tensor_name(head->outputs()), diff_outputs);
    loss->evaluate(exec, {.tensors = tensors, .labels = labels, .lambda = lambda}, gradients, parts);
    head->backward(exec, f, diff_outputs,
                   loss->reads_features() ? kernels::ChainStart::dst : kernels::ChainStart::zero, diff_features);
    return losses::read_parts<Exec>(exec, parts)[losses::LossPart::total];
  }

  double slope(double& entry) {
    const double centre = entry;
    const double step = 1e-3;
    const auto at = [&](const double steps) {
      entry = centre + steps * step;
      const double value = (*this)();
      entry = centre;
      return value;
    };
    return (8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * step);
  }

  double lambda;
  Exec exec;
  nn::ParameterStore<Exec, double> store;
  std::unique_ptr<models::Head<Exec, double>> head;
  std::unique_ptr<losses::Loss<Exec, double>> loss;
  HostMatrix<double> features;
  std::vector<double> values;  ///< all parameters, with the gaps between them
  Labels<Exec> labels;
  Matrix<double, Exec> outputs, diff_outputs, diff_features;
  Vector<double, Exec> parts;
};

template <class Exec>
class HeadGradients : public ::testing::Test {};
TYPED_TEST_SUITE(HeadGradients, ExecSpaces);

void expect_slope(const double gradient, const double difference, const std::string& what) {
  EXPECT_NEAR(gradient, difference, tolerance::loss_difference * (1 + std::abs(difference))) << what;
}

TYPED_TEST(HeadGradients, AgreeWithCentralDifferencesForEveryLoss) {
  for (const losses::LossEntry& info : losses::row_losses()) {
    losses::LossOptions options;
    options.name = info.name;
    options.energy = {-2, -1};
    options.objectosphere = {1.4, 0.25};
    HeadAndLoss<TypeParam> problem(options);

    problem();

    const auto by_features = to_host(problem.diff_features);
    const auto by_parameters = to_host(problem.store.gradients());
    for (std::size_t k = 0; k < by_features.size(); ++k)
      expect_slope(by_features[k], problem.slope(problem.features.entries[k]), options.name + " features");
    for (const auto& slice : problem.store.slices())
      for (std::size_t k = slice.offset; k < slice.offset + slice.size; ++k)
        expect_slope(by_parameters[k], problem.slope(problem.values[k]), options.name + " " + slice.name);
  }
}

/// The gradient of the class-inclusion loss by a feature is a pull along f - mu outside the shell of radius sqrt(n), and
/// a push of n/D - D inside it.
TYPED_TEST(HeadGradients, PullAndPushAlongTheLineToTheAnchor) {
  const int n = 128;
  nn::ParameterStore<TypeParam, double> store(nn::Gradients::kept);
  const auto head = models::make_head<TypeParam, double>({.name = "distance"}, store, n, 1, 1);
  store.allocate(TypeParam{}, 1);
  Kokkos::fence();
  Kokkos::deep_copy(store.values(), 0.0);
  const losses::LossOptions options;
  const auto loss = losses::make_loss<TypeParam, double>(options, {HeadOutputs::squared_distances, 1, n, 1});
  const Matrix<double, TypeParam> outputs("o", 1, 1), diff_outputs("d", 1, 1), diff_features("f", 1, n);
  const Vector<double, TypeParam> parts("p", losses::loss_part_count);
  HostMatrix<double> feature(1, n);
  feature(0, 0) = 0.25 * std::sqrt(double(n));
  const auto f = to_device<TypeParam>(feature);

  head->forward(TypeParam{}, f, outputs);
  loss->evaluate(TypeParam{}, {outputs, f, Labels<TypeParam>("l", 0)}, 1, {diff_outputs, {}}, parts);
  head->backward(TypeParam{}, f, diff_outputs, kernels::ChainStart::zero, diff_features);
  Kokkos::fence();

  const auto gradient = to_host(diff_features);
  const double D = feature(0, 0);
  EXPECT_NEAR(gradient[0] / -(n / D - D), 1, tolerance::inclusion_push_limit);
  for (int d = 1; d < n; ++d) EXPECT_EQ(gradient[d], 0);
  EXPECT_EQ(to_host(store.gradients())[0], -gradient[0]);
}

}  // namespace
}  // namespace bcr::test
