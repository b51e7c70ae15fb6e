#include "src/onnx/model_file.hpp"

#include "io/text/vocabulary.hpp"
#include "kernels/augment/augment.hpp"
#include "src/core/build_info.hpp"
#include "src/core/error.hpp"
#include "src/onnx/backbone_writer.hpp"
#include "src/onnx/decision_writer.hpp"
#include "src/train/model_state.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <set>

namespace bcr::onnx {
namespace {

using Extents = std::vector<std::int64_t>;
using predict::SavedModel;

std::string json_text(const nlohmann::json& value) {
  return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// Bytes [N, H, W, C] to normalised numbers [N, C, H, W].
std::string write_images(GraphWriter& file, const SavedModel& model) {
  const nn::ImageShape& image = model.plan.shape.image;
  require<IoError>(model.checkpoint.mean.size() == std::size_t(image.channels), "checkpoint " + model.file,
                   "a mean of each channel", std::to_string(model.checkpoint.mean.size()));
  const auto normalisation = kernels::make_normalisation<float>(model.checkpoint.mean, model.checkpoint.std);
  const auto channel_values = [&](const auto& values) {
    std::vector<float> list;
    for (int c = 0; c < image.channels; ++c) list.push_back(values[c]);
    return list;
  };
  const std::vector<float> scale = channel_values(normalisation.scale), shift = channel_values(normalisation.shift);
  const Extents channels{image.channels};
  file.add_input("images", Element::uint8, Extents{any_batch, image.height, image.width, image.channels});
  const auto bytes = file.add("Cast", "input/real", {"images"}, {{"to", static_cast<int>(Element::float32)}});
  const auto scaled =
      file.add("Mul", "input/scaled", {bytes, file.constant("input.scale", channels, std::span(scale))});
  const auto shifted =
      file.add("Add", "input/normalised", {scaled, file.constant("input.shift", channels, std::span(shift))});
  return file.add("Transpose", "input/channels_first", {shifted}, {{"perm", Extents{0, 3, 1, 2}}});
}

std::string write_input(GraphWriter& file, const SavedModel& model) {
  if (!model.reads_texts()) return write_images(file, model);
  file.add_input("tokens", Element::int64, Extents{any_batch, model.plan.shape.image.width});
  return "tokens";
}

void describe_input(GraphWriter& file, const SavedModel& model) {
  const io::Checkpoint& checkpoint = model.checkpoint;
  const nn::ImageShape& image = model.plan.shape.image;
  if (model.reads_texts()) {
    file.set_metadata("bcr.input",
                      fmt::format("the first {} words of a text, padded in front with {}; a word that is not in "
                                  "bcr.vocabulary is {}, the first word there {}",
                                  image.width, io::padding, io::unknown_word, io::first_word));
    file.set_metadata("bcr.vocabulary", checkpoint.vocabulary);
    return;
  }
  file.set_metadata("bcr.input", fmt::format("images of {}x{}x{} bytes, height, width, {}", image.height, image.width,
                                             image.channels, image.channels == 3 ? "red, green, blue" : "channels"));
  file.set_metadata("bcr.mean", fmt::format("{}", fmt::join(checkpoint.mean, " ")));
  file.set_metadata("bcr.std", fmt::format("{}", fmt::join(checkpoint.std, " ")));
}

void describe_decision(GraphWriter& file, const SavedModel& model, const predict::Rejection& rule) {
  nlohmann::json thresholds = nlohmann::json::array();
  const int count = rule.rule() == predict::Rule::class_conformal ? model.plan.classes : 1;
  for (int c = 0; c < count; ++c) thresholds.push_back(fmt::format("{}", rule.threshold(c)));
  file.set_metadata("bcr.score", model.plan.default_score);
  file.set_metadata("bcr.thresholds", json_text(thresholds));
  file.set_metadata("bcr.thresholds.found", rule.found());
}

void describe(GraphWriter& file, const SavedModel& model, const predict::Rejection& rule) {
  const BuildInfo build = build_info();
  file.set_metadata("bcr.version", build.version);
  file.set_metadata("bcr.git", build.git_hash);
  file.set_metadata("bcr.model", model.checkpoint.model);
  file.set_metadata("bcr.weights_sha256", train::weights_sha256(model.checkpoint.tensors));
  file.set_metadata("bcr.steps", std::to_string(model.checkpoint.step));
  file.set_metadata("bcr.split_hash", model.checkpoint.split_hash);
  file.set_metadata("bcr.class_names", json_text(model.checkpoint.class_names));
  describe_input(file, model);
  describe_decision(file, model, rule);
}

}  // namespace

std::string model_file(const SavedModel& model, const predict::RejectionOptions& rule,
                       const std::vector<std::string>& further_scores) {
  const nn::Graph graph = models::make_backbone(model.options.model.backbone, model.plan.shape.image);
  const auto features = static_cast<int>(graph.shape(graph.output()).size());
  const losses::ScoreShape shape = train::score_shape(model.options, model.plan, features, 0);
  const std::string description = models::model_description(model.options.model, model.plan.shape, features);
  require<IoError>(model.checkpoint.model == description, "checkpoint " + model.file,
                   "a model of its own configuration: " + description, model.checkpoint.model);
  const predict::Rejection rejection(rule, model.checkpoint, model.plan.default_score, shape, model.file);
  const Weights weights(model.checkpoint, model.file);

  GraphWriter file;
  const std::string input = write_input(file, model);
  const std::string found = BackboneWriter(file, graph, weights).write(input);
  const std::string named = file.add("Identity", "features", {found});
  const int columns = model.plan.shape.columns;
  DecisionWriter decision(file, weights, shape, columns, named);
  const std::string outputs = decision.write_head(model.options.model.head);
  decision.write_guess();
  const std::string score = decision.write_score(model.plan.default_score, "score");
  decision.write_decision(score, rejection);

  const Extents one{any_batch};
  file.add_output("label", Element::int64, one);
  file.add_output("unknown", Element::boolean, one);
  file.add_output("guess", Element::int64, one);
  file.add_output("score", Element::float64, one);
  if (expresses_inclusion(shape)) file.add_output(decision.write_inclusion("p_inclusion"), Element::float64, one);
  if (const io::Calibration& calibration = model.checkpoint.calibration; !calibration.empty())
    file.add_output(decision.write_p_value(score, rejection.rule(), calibration), Element::float64, one);
  file.add_output(outputs, Element::float32, Extents{any_batch, columns});
  file.add_output(named, Element::float32, Extents{any_batch, features});
  for (const std::string& score : std::set<std::string>(further_scores.begin(), further_scores.end()))
    file.add_output(decision.write_score(score, score), Element::float64, one);
  describe(file, model, rejection);
  return file.file("bcr", build_info().version);
}

}  // namespace bcr::onnx
