#include "src/core/error.hpp"
#include "src/predict/predictor.hpp"
#include "src/train/model_state.hpp"
#include "tests/support/tolerance.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace bcr::predict {
namespace {

constexpr nn::ImageShape image{8, 8, 3};
constexpr int classes = 3;
constexpr std::size_t count = 12;

/// What read_saved_model gives of a checkpoint of untrained weights.
SavedModel untrained(const nn::Mode mode = nn::Mode::strict) {
  SavedModel saved;
  saved.file = "untrained.h5";
  saved.options.mode = mode;
  saved.options.model.backbone = {.name = "wrn", .depth = 10, .width = 1, .dropout = 0};
  saved.plan = train::plan_model(saved.options, image, classes);
  const train::Device exec;
  const models::Model<train::Device, train::Real> model(saved.options.model, saved.plan.shape,
                                                        {.mode = mode, .training_images = 0, .inference_images = 1},
                                                        saved.options.seed, exec, Log(LogLevel::off));
  saved.checkpoint.model = model.description();
  saved.checkpoint.tensors = train::save_model(exec, model);
  saved.checkpoint.class_names = {"wren", "owl", "tit"};
  saved.checkpoint.sample = {8, 8, 3};
  saved.checkpoint.mean = {100, 110, 120};
  saved.checkpoint.std = {50, 60, 70};
  return saved;
}

std::vector<std::uint8_t> images() {
  std::vector<std::uint8_t> pixels(count * image.size());
  for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<std::uint8_t>((i * i / 7 + 13 * i) % 256);
  return pixels;
}

std::vector<Answer> answers(const SavedModel& saved, const RejectionOptions& options = {},
                            const std::size_t batch = count) {
  return Predictor(saved, options, Log(LogLevel::off), batch).predict(images());
}

TEST(Predictor, DecidesByTheThresholdOfTheCheckpoint) {
  SavedModel saved = untrained();
  std::vector<double> scores;
  for (const Answer& answer : answers(saved, {.rule = Rule::never})) scores.push_back(answer.score);
  std::vector<double> sorted = scores;
  std::sort(sorted.begin(), sorted.end());
  // By the scores of its validation images nothing would be rejected: all are below those of these images.
  saved.checkpoint.calibration = {"min_distance", std::vector<double>(99, -1e30), std::vector<std::int32_t>(99, 0),
                                  std::vector<std::int32_t>(99, 0)};
  EXPECT_EQ(std::ranges::count_if(answers(saved), &Answer::unknown), 0);

  for (const std::size_t rejected : {std::size_t{1}, std::size_t{7}}) {
    saved.checkpoint.thresholds = {{"conformal", "min_distance", train::usual_alpha, {sorted[rejected]}, "of a test"}};
    const std::vector<Answer> found = answers(saved);
    for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(found[i].unknown, scores[i] < sorted[rejected]) << i;
    EXPECT_EQ(std::ranges::count_if(found, &Answer::unknown), std::ptrdiff_t(rejected));
  }
}

TEST(Predictor, AnswersWithTheSameBitsWhateverTheBatch) {
  const std::vector<Answer> whole = answers(untrained());
  for (const std::size_t batch : {std::size_t{1}, std::size_t{5}}) {
    const std::vector<Answer> parts = answers(untrained(), {}, batch);
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_EQ(parts[i].guess, whole[i].guess) << i;
      EXPECT_EQ(parts[i].score, whole[i].score) << i;
    }
  }
}

TEST(Predictor, FastModeAgreesWithStrictMode) {
  const std::vector<Answer> strict = answers(untrained());
  const std::vector<Answer> fast = answers(untrained(nn::Mode::fast));
  for (std::size_t i = 0; i < count; ++i)
    EXPECT_NEAR(fast[i].score, strict[i].score, test::tolerance::network<float> * std::max(1.0, -strict[i].score)) << i;
}

}  // namespace
}  // namespace bcr::predict
