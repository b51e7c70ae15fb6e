#include "losses/registry.hpp"
#include "models/model.hpp"
#include "src/core/log.hpp"
#include "tests/support/exec_spaces.hpp"
#include "tests/support/host_matrix.hpp"
#include "tests/support/tolerance.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

/// The second stage of C2AE: a decoder that learns behind a network that does not.
namespace bcr::test {
namespace {

template <class Exec>
class C2aeGradients : public ::testing::Test {};
TYPED_TEST_SUITE(C2aeGradients, ExecSpaces);

constexpr int known = 5, background = 1, rows = known + background, classes = 3, pixels = 16 * 16 * 2;
constexpr double alpha = 0.7, lambda = 30;

template <class Exec>
struct SecondStage {
  SecondStage()
      : model({.backbone = {.name = "wrn", .depth = 10, .width = 1, .dropout = 0.3},
               .head = {.name = "linear"},
               .decoder = {.name = models::DecoderKind::conditioned, .width = 1}},
              {{16, 16, 2}, classes},
              {.training_images = rows, .inference_images = 1, .learned = {"decoder"}}, 3, exec, Log(LogLevel::off)) {
    losses::LossOptions options;
    options.name = "c2ae";
    options.c2ae.match = alpha;
    objective = losses::make_objective<Exec, double>(
        options, {losses::HeadOutputs::logits, classes, model.features(), rows});
    const auto host_images = Kokkos::create_mirror_view(images);
    // Far from all that is decoded: the absolute value has a kink at 0.
    for (std::size_t k = 0; k < images.size(); ++k)
      host_images.data()[k] = (k % 3 == 0 ? 9 : -9) + std::sin(1.7 * double(k) + 0.3);
    Kokkos::deep_copy(images, host_images);
    const auto host_labels = Kokkos::create_mirror_view(labels);
    for (int i = 0; i < known; ++i) host_labels(i) = label(i);
    Kokkos::deep_copy(labels, host_labels);
  }

  static int label(const int i) { return i / 2; }  // 0, 0, 1, 1, 2
  static int other(const int i) { return i < 2 ? 2 : i < 4 ? 4 : 0; }

  nn::Tensors<Exec, double> inputs() const {
    nn::Tensors<Exec, double> named(images);
    named.set("labels", nn::Tokens<Exec>(labels.data(), known, 1));
    return named;
  }

  /// The numbers of the objective; the gradients of the decoder are in the store.
  std::vector<double> look() {
    const nn::PassInfo pass{nn::Phase::training, 1, 5};
    nn::Tensors<Exec, double> tensors = model.forward(exec, pass, inputs());
    decoded = to_host(tensors.matrix("reconstructions"));
    tensors.set("images", images);
    nn::Tensors<Exec, double> gradients;
    for (const auto& [name, value] : model.network().graph().outputs()) {
      gradients.set(name, model.network().diff(name, rows));
      Kokkos::deep_copy(exec, gradients.images(name), 0.0);
    }
    gradients.set("logits", diff_outputs);
    const Vector<double, Exec> numbers("numbers", objective->numbers().size());
    objective->evaluate(exec, {.tensors = tensors, .labels = labels, .lambda = lambda}, gradients, numbers);
    by_decoded = to_host(gradients.matrix("reconstructions"));
    model.backward_head(exec, tensors.matrix("features"), diff_outputs);
    model.backward_features(exec, pass, inputs());
    return losses::read_numbers<Exec>(exec, numbers);
  }

  Exec exec;
  models::Model<Exec, double> model;
  std::unique_ptr<losses::Objective<Exec, double>> objective;
  Tensor4<double, Exec> images{"images", rows, 16, 16, 2};
  Labels<Exec> labels{"labels", known};
  Matrix<double, Exec> diff_outputs{"diff_outputs", rows, classes};
  std::vector<double> decoded, by_decoded;
};

TYPED_TEST(C2aeGradients, AgreeWithCentralDifferencesInTheDecoderAndAreNoneElsewhere) {
  SecondStage<TypeParam> stage;
  Kokkos::deep_copy(stage.model.parameters().gradients(), 0.0);
  stage.look();
  const std::vector<double> gradients = to_host(stage.model.parameters().gradients());
  const auto values = stage.model.parameters().values();
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), values);

  constexpr double h = tolerance::difference_step;
  for (const auto& slice : stage.model.parameters().slices()) {
    if (!slice.name.starts_with("decoder.")) {
      for (std::size_t i = slice.offset; i < slice.offset + slice.size; ++i)
        ASSERT_EQ(gradients[i], 0) << slice.name;
      continue;
    }
    for (std::size_t i = slice.offset; i < slice.offset + slice.size; i += slice.size / 2 + 1) {
      const auto at = [&](const double value) {
        host.data()[i] = value;
        Kokkos::deep_copy(values, host);
        return stage.look()[0];
      };
      const double centre = host.data()[i];
      const double slope = (at(centre + h) - at(centre - h)) / (2 * h);
      at(centre);
      EXPECT_NEAR(gradients[i], slope, tolerance::difference_quotient * (1 + std::abs(slope)))
          << slice.name << ", element " << i - slice.offset;
    }
  }
}

/// In plain loops: an image for its class, and the next one of another class for another; nothing of the background row.
TYPED_TEST(C2aeGradients, BelongToTheLossAsItIsWritten) {
  SecondStage<TypeParam> stage;
  const std::vector<double> numbers = stage.look();
  const std::vector<double> images = to_host(nn::Tensor<TypeParam, double>(stage.images).matrix());
  double match = 0, other = 0;
  std::vector<double> gradient(rows * 2 * pixels, 0.0);
  for (int i = 0; i < known; ++i)
    for (int s = 0; s < 2; ++s)
      for (int k = 0; k < pixels; ++k) {
        const int at = (2 * i + s) * pixels + k;
        const double apart = stage.decoded[at] - images[(s == 0 ? i : stage.other(i)) * pixels + k];
        (s == 0 ? match : other) += std::abs(apart) / (known * pixels);
        gradient[at] = lambda * (s == 0 ? alpha : 1 - alpha) / (known * pixels) * (apart > 0 ? 1 : -1);
      }
  const auto number = [&](const std::string_view name) {
    return losses::NamedNumbers{stage.objective->numbers(), numbers}[name];
  };

  EXPECT_NEAR(number("match"), match, tolerance::loss<double>() * match);
  EXPECT_NEAR(number("non_match"), other, tolerance::loss<double>() * other);
  EXPECT_NEAR(numbers[0], lambda * (alpha * match + (1 - alpha) * other), tolerance::loss<double>() * numbers[0]);
  for (std::size_t e = 0; e < gradient.size(); ++e)
    ASSERT_NEAR(stage.by_decoded[e], gradient[e], tolerance::loss<double>() * lambda / pixels) << e;
  for (const double by_logit : to_host(stage.diff_outputs)) EXPECT_EQ(by_logit, 0);
}

}  // namespace
}  // namespace bcr::test
