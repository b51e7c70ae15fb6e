#include "losses/registry.hpp"
#include "src/comm/communicator.hpp"
#include "src/optim/registry.hpp"
#include "src/train/training_step.hpp"
#include "tests/support/host_matrix.hpp"
#include "tests/support/tolerance.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace {

using namespace bcr;
using Exec = Kokkos::DefaultHostExecutionSpace;

constexpr double strength = 0.3;

/// Cross-entropy of the logits of known rows, and the centre loss of Wen et al. (2016) on their features:
///   L = 1/B_k sum_i (log sum_c exp z_ic - z_iy + strength/2 |f_i - m_y|^2),
/// with centres m, one for each class, as parameters of its own.
template <class Exec, class T>
class CentreLoss final : public losses::Objective<Exec, T> {
 public:
  explicit CentreLoss(const losses::LossShape& shape) : losses::Objective<Exec, T>(shape) {}

  std::string_view name() const override { return "centre"; }
  std::vector<std::string> numbers() const override { return {"total", "classification", "centre"}; }
  std::vector<std::string> differentiates() const override { return {"logits", "features"}; }
  void add_parameters(nn::ParameterStore<Exec, T>& parameters) override {
    store_ = &parameters;
    const losses::LossShape& shape = this->shape();
    centres_ = parameters.add({.name = "objective.centres",
                               .extents = {std::size_t(shape.classes), std::size_t(shape.features)},
                               .initial = {nn::Fill::normal, 1}});
  }

  void evaluate(const Exec& exec, const losses::ObjectiveInput<Exec, T>& input,
                const nn::Tensors<Exec, T>& gradients, Vector<double, Exec> numbers) override {
    const Work work{input.tensors.matrix("logits"),  input.tensors.matrix("features"),
                    store_->matrix(centres_),        input.labels,
                    gradients.matrix("logits"),      gradients.matrix("features"),
                    store_->matrix_gradients(centres_), numbers,
                    input.known_divisor};
    Kokkos::parallel_for("bcr::tests::centre_loss", Kokkos::RangePolicy<Exec>(exec, 0, 1), work);
  }

 private:
  /// One thread does it all: it is a test.
  struct Work {
    Matrix<T, Exec> logits, features, centres;
    ConstLabels<Exec> labels;
    Matrix<T, Exec> diff_logits, diff_features, diff_centres;
    Vector<double, Exec> numbers;
    double rows;

    KOKKOS_FUNCTION void operator()(int) const {
      const int C = logits.extent_int(1), n = features.extent_int(1);
      for (int c = 0; c < C; ++c)
        for (int d = 0; d < n; ++d) diff_centres(c, d) = 0;
      double classification = 0, centre = 0;
      for (int i = 0; i < logits.extent_int(0); ++i) {
        for (int c = 0; c < C; ++c) diff_logits(i, c) = 0;
        for (int d = 0; d < n; ++d) diff_features(i, d) = 0;
        if (i >= labels.extent_int(0)) continue;
        const int y = labels(i);
        double sum = 0;
        for (int c = 0; c < C; ++c) sum += Kokkos::exp(logits(i, c));
        classification += Kokkos::log(sum) - logits(i, y);
        for (int c = 0; c < C; ++c) diff_logits(i, c) = (Kokkos::exp(logits(i, c)) / sum - (c == y)) / rows;
        for (int d = 0; d < n; ++d) {
          const T gap = features(i, d) - centres(y, d);
          centre += 0.5 * strength * gap * gap;
          diff_features(i, d) = strength * gap / rows;
          diff_centres(y, d) -= strength * gap / rows;
        }
      }
      numbers(0) = (classification + centre) / rows;
      numbers(1) = classification / rows;
      numbers(2) = centre / rows;
    }
  };

  const nn::ParameterStore<Exec, T>* store_ = nullptr;
  int centres_ = 0;
};

struct MakeCentreLoss {
  template <class Exec, class T>
  static std::unique_ptr<losses::Objective<Exec, T>> make(const losses::LossEntry&, const losses::LossOptions&,
                                                          const losses::LossShape& shape) {
    return std::make_unique<CentreLoss<Exec, T>>(shape);
  }
};

class AddedObjective : public ::testing::TestWithParam<const char*> {
 protected:
  static void SetUpTestSuite() {
    if (losses::all_losses().contains("centre")) return;
    losses::all_losses().add({.name = "centre",
                              .title = "Centre",
                              .fits = losses::LossEntry::Fits::logits,
                              .reads = losses::LossEntry::Reads::known,
                              .formula = "cross-entropy + strength/2 |f - m_y|^2",
                              .make = PerInstance<losses::ObjectiveMaker>::of<MakeCentreLoss>()});
  }
};

/// A small network with a linear head, trained by a loss of this name.
struct Training {
  static constexpr int known = 5, background = 3, classes = 3;

  explicit Training(const std::string& loss) {
    losses::LossOptions options;
    options.name = loss;
    model.emplace(
        models::ModelOptions{.backbone = {.depth = 10, .width = 1, .dropout = 0}, .head = {.name = "linear"}},
        models::ModelShape{{6, 5, 2}, classes},
        nn::NetworkSettings{.mode = nn::Mode::strict, .training_images = known + background, .inference_images = 1}, 3,
        exec, Log(LogLevel::off), [&](nn::ParameterStore<Exec, double>& parameters, const int features) {
          objective = losses::make_objective<Exec, double>(
              options, {losses::HeadOutputs::logits, classes, features, known + background});
          objective->add_parameters(parameters);
        });
    optimizer = optim::make_optimizer<Exec, double>("sgd", optim::one_group(model->parameters()));
    step.emplace(train::TrainingStep<Exec, double>::Parts{*model, *objective, *optimizer, alone});
    const Tensor4<double, Exec> images("images", known + background, 6, 5, 2);
    for (std::size_t k = 0; k < images.size(); ++k) images.data()[k] = std::sin(1.7 * double(k) + 0.3);
    const Labels<Exec> labels("labels", known);
    for (int i = 0; i < known; ++i) labels(i) = i % classes;
    batch = train::StepBatch<Exec, double>::whole(images, labels);
  }

  /// The numbers of a step that moves nothing.
  std::vector<double> look() {
    step->run(exec, [&](int) { return batch; }, {.seed = 1, .step = 0, .rate = 0, .lambda = 1}, false, clock);
    exec.fence();
    return {step->numbers().data(), step->numbers().data() + step->numbers().size()};
  }

  Exec exec;
  comm::SerialCommunicator alone;
  std::unique_ptr<losses::Objective<Exec, double>> objective;
  std::optional<models::Model<Exec, double>> model;
  std::unique_ptr<optim::Optimizer<Exec, double>> optimizer;
  std::optional<train::TrainingStep<Exec, double>> step;
  train::RegionClock<Exec> clock{exec};
  train::StepBatch<Exec, double> batch;
};

/// objectosphere: a loss of the tree with a direct gradient by the features, for comparison.
INSTANTIATE_TEST_SUITE_P(Losses, AddedObjective, ::testing::Values("centre", "objectosphere"));

TEST_P(AddedObjective, HasTheGradientOfItsValueThroughAModel) {
  Training training(GetParam());
  training.look();
  const auto& parameters = training.model->parameters();
  const std::vector<double> gradients(parameters.gradients().data(),
                                      parameters.gradients().data() + parameters.gradients().size());
  double largest = 0;
  for (const double gradient : gradients) largest = std::max(largest, std::abs(gradient));
  ASSERT_GT(largest, 0);

  constexpr double h = test::tolerance::difference_step;
  for (const auto& slice : parameters.slices()) {
    const std::size_t stride = std::max<std::size_t>(slice.size / 4, 1);
    for (std::size_t i = slice.offset; i < slice.offset + slice.size; i += stride) {
      double& parameter = parameters.values().data()[i];
      const double before = parameter;
      parameter = before + h;
      const double above = training.look()[0];
      parameter = before - h;
      const double below = training.look()[0];
      parameter = before;
      EXPECT_NEAR((above - below) / (2 * h), gradients[i],
                  test::tolerance::difference_quotient * (1 + std::abs(gradients[i])))
          << slice.name << ' ' << i - slice.offset;
    }
  }
}

TEST_F(AddedObjective, DeclaresWhatItLogsAndTrainsItsParameters) {
  Training training("centre");
  const std::vector<double> before = training.look();
  const auto run = [&](int) { return training.batch; };
  for (std::uint64_t step = 0; step < 20; ++step)
    training.step->run(training.exec, run, {.seed = 1, .step = step, .rate = 0.05, .lambda = 1}, false, training.clock);
  const std::vector<double> after = training.look();

  EXPECT_THAT(training.objective->numbers(), ::testing::ElementsAre("total", "classification", "centre"));
  ASSERT_EQ(before.size(), 3u);
  EXPECT_NEAR(before[0], before[1] + before[2], test::tolerance::loss<double>() * before[0]);
  EXPECT_LT(after[2], 0.5 * before[2]);
  EXPECT_EQ(training.model->parameters().slices().back().name, "objective.centres");
}

TEST_F(AddedObjective, IsRefusedIfTheModelDoesNotGiveWhatItAsksFor) {
  Training training("centre");
  losses::LossOptions none;
  none.name = "none";
  const auto distances = losses::make_objective<Exec, double>(
      none, {losses::HeadOutputs::squared_distances, 3, training.model->features(), 8});

  EXPECT_THROW((train::TrainingStep<Exec, double>({*training.model, *distances, *training.optimizer, training.alone})),
               ConfigError);
}

}  // namespace
