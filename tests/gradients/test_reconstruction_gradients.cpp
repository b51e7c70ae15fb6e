#include "losses/registry.hpp"
#include "models/model.hpp"
#include "src/core/log.hpp"
#include "tests/support/exec_spaces.hpp"
#include "tests/support/host_matrix.hpp"
#include "tests/support/tolerance.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

namespace bcr::test {
namespace {

template <class Exec>
class ReconstructionGradients : public ::testing::Test {};
TYPED_TEST_SUITE(ReconstructionGradients, ExecSpaces);

/// A small DHRNet with dropout, its head and an objective, which are trained together.
template <class Exec>
struct Training {
  static constexpr int known = 4, background = 2, rows = known + background, classes = 3;

  explicit Training(const std::string& loss)
      : model({.backbone = {.name = "dhrnet", .width = 1, .dropout = 0.4, .units = 7, .layers = 2},
               .head = {.name = "linear"}},
              {{8, 16, 2}, classes}, {.mode = nn::Mode::strict, .training_images = rows, .inference_images = 1}, 3, exec,
              Log(LogLevel::off)) {
    losses::LossOptions options;
    options.name = loss;
    objective = losses::make_objective<Exec, double>(options, {losses::HeadOutputs::logits, classes, 7, rows});
    const auto host_images = Kokkos::create_mirror_view(images);
    for (std::size_t k = 0; k < images.size(); ++k) host_images.data()[k] = std::sin(1.7 * double(k) + 0.3);
    Kokkos::deep_copy(images, host_images);
    const auto host_labels = Kokkos::create_mirror_view(labels);
    for (int i = 0; i < known; ++i) host_labels(i) = i % classes;
    Kokkos::deep_copy(labels, host_labels);
  }

  /// The numbers of the objective; the gradients of all parameters are in the store.
  std::vector<double> look(const double lambda) {
    const nn::PassInfo pass{nn::Phase::training, 1, 5};
    nn::Tensors<Exec, double> tensors = model.forward(exec, pass, images);
    tensors.set("images", images);
    nn::Tensors<Exec, double> gradients;
    for (const std::string name : {"features", "latent", "reconstruction"}) {
      gradients.set(name, model.network().diff(name, rows));
      Kokkos::deep_copy(exec, gradients.images(name), 0.0);
    }
    gradients.set("logits", diff_outputs);
    const Vector<double, Exec> numbers("numbers", objective->numbers().size());
    objective->evaluate(exec, {.tensors = tensors, .labels = labels, .lambda = lambda}, gradients, numbers);
    model.backward_head(exec, tensors.matrix("features"), diff_outputs);
    model.backward_features(exec, pass, images);
    return losses::read_numbers<Exec>(exec, numbers);
  }

  std::vector<double> gradients() const { return to_host(model.parameters().gradients()); }

  Exec exec;
  models::Model<Exec, double> model;
  std::unique_ptr<losses::Objective<Exec, double>> objective;
  Tensor4<double, Exec> images{"images", rows, 8, 16, 2};
  Labels<Exec> labels{"labels", known};
  Matrix<double, Exec> diff_outputs{"diff_outputs", rows, classes};
};

TYPED_TEST(ReconstructionGradients, AgreeWithCentralDifferencesThroughTheNetworkOfCrosr) {
  constexpr double lambda = 30;  // so that both parts weigh about the same
  Training<TypeParam> training("reconstruction");
  training.look(lambda);
  const std::vector<double> gradients = training.gradients();
  const auto values = training.model.parameters().values();
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), values);

  constexpr double h = tolerance::difference_step;
  for (const auto& entry : training.model.parameters().entries()) {
    for (std::size_t i = entry.offset; i < entry.offset + entry.size; i += entry.size / 3 + 1) {
      const auto at = [&](const double value) {
        host.data()[i] = value;
        Kokkos::deep_copy(values, host);
        return training.look(lambda)[0];
      };
      const double centre = host.data()[i];
      const double slope = (at(centre + h) - at(centre - h)) / (2 * h);
      at(centre);
      EXPECT_NEAR(gradients[i], slope, tolerance::difference_quotient * (1 + std::abs(slope)))
          << entry.spec.name << ", element " << i - entry.offset;
    }
  }
}

TYPED_TEST(ReconstructionGradients, AreThoseOfTheClassifierAloneWithoutWeight) {
  Training<TypeParam> training("reconstruction"), plain("none");
  const std::vector<double> numbers = training.look(0), expected = plain.look(0);

  EXPECT_EQ(numbers[0], expected[0]);
  EXPECT_GT(numbers.back(), 0);
  EXPECT_EQ(training.gradients(), plain.gradients());
}

/// Against the mean of squares in plain loops, the background rows left out.
TYPED_TEST(ReconstructionGradients, OfAMeanOfSquares) {
  Training<TypeParam> training("reconstruction");
  const std::vector<double> numbers = training.look(2);
  const auto tensors = training.model.forward(training.exec, {nn::Phase::training, 1, 5}, training.images);
  const auto found = to_host(tensors.matrix("reconstruction"));
  const auto images = to_host(nn::Tensor<TypeParam, double>(training.images).matrix());
  const std::size_t size = images.size() / Training<TypeParam>::rows * Training<TypeParam>::known;
  double sum = 0;
  for (std::size_t k = 0; k < size; ++k) sum += (found[k] - images[k]) * (found[k] - images[k]);

  EXPECT_NEAR(numbers.back(), sum / double(size), tolerance::loss<double>() * sum / double(size));
  EXPECT_NEAR(numbers[0], numbers[1] + 2 * numbers.back(), tolerance::loss<double>() * numbers[0]);
}

}  // namespace
}  // namespace bcr::test
