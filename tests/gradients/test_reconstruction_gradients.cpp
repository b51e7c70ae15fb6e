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

const models::BackboneOptions of_crosr{.name = "dhrnet", .width = 1, .dropout = 0.4, .units = 7, .layers = 2};
const models::BackboneOptions of_cgdl{.name = "lvae", .width = 1, .units = 3, .layers = 1};

losses::LossOptions loss_of(const std::string& name) {
  losses::LossOptions options;
  options.name = name;
  return options;
}

/// A small network, its head and an objective, which are trained together.
template <class Exec>
struct Training {
  static constexpr int known = 4, background = 2, rows = known + background, classes = 3;

  Training(const models::BackboneOptions& backbone, const losses::LossOptions& options)
      : model({.backbone = backbone, .head = {.name = "linear"}}, {{8, 16, 2}, classes},
              {.mode = nn::Mode::strict, .training_images = rows, .inference_images = 1}, 3, exec, Log(LogLevel::off),
              [&](nn::ParameterStore<Exec, double>& parameters, const int features) {
                objective = losses::make_objective<Exec, double>(
                    options, {losses::HeadOutputs::logits, classes, features, rows});
                objective->add_parameters(parameters);
              }) {
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
    for (const auto& [name, value] : model.network().graph().outputs()) {
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
  std::unique_ptr<losses::Objective<Exec, double>> objective;  ///< made with the model: its parameters lie there
  models::Model<Exec, double> model;
  Tensor4<double, Exec> images{"images", rows, 8, 16, 2};
  Labels<Exec> labels{"labels", known};
  Matrix<double, Exec> diff_outputs{"diff_outputs", rows, classes};
};

/// Central differences of the total by three elements or more of every parameter.
template <class Exec>
void expect_differences(Training<Exec>& training, const double lambda) {
  training.look(lambda);
  const std::vector<double> gradients = training.gradients();
  const auto values = training.model.parameters().values();
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), values);

  constexpr double h = tolerance::difference_step;
  for (const auto& slice : training.model.parameters().slices()) {
    for (std::size_t i = slice.offset; i < slice.offset + slice.size; i += slice.size / 3 + 1) {
      const auto at = [&](const double value) {
        host.data()[i] = value;
        Kokkos::deep_copy(values, host);
        return training.look(lambda)[0];
      };
      const double centre = host.data()[i];
      const double slope = (at(centre + h) - at(centre - h)) / (2 * h);
      at(centre);
      EXPECT_NEAR(gradients[i], slope, tolerance::difference_quotient * (1 + std::abs(slope)))
          << slice.name << ", element " << i - slice.offset;
    }
  }
}

TYPED_TEST(ReconstructionGradients, AgreeWithCentralDifferencesThroughTheNetworkOfCrosr) {
  Training<TypeParam> training(of_crosr, loss_of("reconstruction"));
  expect_differences(training, 30);  // so that both parts weigh about the same
}

TYPED_TEST(ReconstructionGradients, AgreeWithCentralDifferencesThroughTheLadderOfCgdl) {
  losses::LossOptions options = loss_of("cgdl");
  options.cgdl.classification = 20;
  Training<TypeParam> summed(of_cgdl, options);
  expect_differences(summed, 3);
  options.cgdl.reconstruction = losses::CgdlReconstruction::mean;
  Training<TypeParam> averaged(of_cgdl, options);
  expect_differences(averaged, 1);
}

/// Against plain loops over the known rows: softmax, squares, KL(N(mu, v) | N(y, I)) as it is written.
TYPED_TEST(ReconstructionGradients, OfCgdlBelongToTheLossAsItIsWritten) {
  Training<TypeParam> training(of_cgdl, loss_of("cgdl"));
  const std::vector<double> numbers = training.look(0.7);
  auto tensors = training.model.forward(training.exec, {nn::Phase::training, 1, 5}, training.images);
  tensors.set("images", training.images);
  const auto read = [&](const char* const name) { return to_host(tensors.matrix(name)); };
  const auto parameter = [&](const std::string& name) {
    const auto& store = training.model.parameters();
    for (std::size_t id = 0; id < store.slices().size(); ++id)
      if (store.slices()[id].name == name) return to_host(store.values(int(id)));
    return std::vector<double>();
  };
  const std::vector<double> logits = read("logits"), found = read("reconstruction"), images = read("images"),
                            top = read("top"), divergence = read("divergence"), prior = parameter("prior.weights"),
                            shift = parameter("prior.bias");
  constexpr int known = 4, classes = 3, d = 3, levels = 2, pixels = 8 * 16 * 2;
  double entropy = 0, squares = 0, divergences = 0;
  for (int i = 0; i < known; ++i) {
    double total = 0;
    for (int c = 0; c < classes; ++c) total += std::exp(logits[i * classes + c]);
    entropy += (std::log(total) - logits[i * classes + i % classes]) / known;
    for (int k = i * pixels; k < (i + 1) * pixels; ++k) squares += std::pow(found[k] - images[k], 2) / known;
    for (int j = 0; j < d; ++j) {
      const double v = std::log1p(std::exp(top[i * 2 * d + d + j])) + 1e-8;
      const double y = prior[(i % classes) * d + j] + shift[j];
      divergences += 0.5 * (v - std::log(v) + std::pow(top[i * 2 * d + j] - y, 2) - 1) / known;
    }
    for (int l = 0; l < levels; ++l) divergences += divergence[i * levels + l] / known;
  }
  const double all = 100 * entropy + squares + 0.7 * divergences;

  const auto number = [&](const std::string_view name) {
    return losses::NamedNumbers{training.objective->numbers(), numbers}[name];
  };
  EXPECT_NEAR(number("classification"), entropy, tolerance::loss<double>() * all);
  EXPECT_NEAR(number("reconstruction"), squares, tolerance::loss<double>() * all);
  EXPECT_NEAR(number("divergence"), divergences, tolerance::loss<double>() * all);
  EXPECT_NEAR(numbers[0], all, tolerance::loss<double>() * all);
}

TYPED_TEST(ReconstructionGradients, AreThoseOfTheClassifierAloneWithoutWeight) {
  Training<TypeParam> training(of_crosr, loss_of("reconstruction")), plain(of_crosr, loss_of("none"));
  const std::vector<double> numbers = training.look(0), expected = plain.look(0);

  EXPECT_EQ(numbers[0], expected[0]);
  EXPECT_GT(numbers.back(), 0);
  EXPECT_EQ(training.gradients(), plain.gradients());
}

/// Against the mean of squares in plain loops, the background rows left out.
TYPED_TEST(ReconstructionGradients, OfAMeanOfSquares) {
  Training<TypeParam> training(of_crosr, loss_of("reconstruction"));
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
