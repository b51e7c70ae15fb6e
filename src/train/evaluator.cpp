#include "src/train/evaluator.hpp"

#include "src/train/fast_mode.hpp"
#include "src/train/model_state.hpp"

#include <fmt/format.h>

namespace bcr::train {
namespace {

/// Scores that move images want gradients by them, and the memory of a training pass.
nn::NetworkSettings network_settings(const RunOptions& options, const std::vector<std::string>& scores) {
  const models::BackboneInput input = models::backbones().find(options.model.backbone.name).input;
  const bool moves = input == models::BackboneInput::images && ScoreChoice::may_move_images(scores);
  return {.mode = options.mode,
          .precision = nn::resolved_precision<Device>(options.mode, options.fast),
          .training_images = moves ? options.train.eval_batch : 0,
          .inference_images = options.train.eval_batch,
          .input_gradients = moves ? nn::InputGradients::alone : nn::InputGradients::none};
}

void log_seconds(const run::ScoreTables& seconds, const Log& log) {
  std::string list;
  for (const auto& [name, numbers] : seconds) {
    const auto per_10000 = numbers.find("per_10000"), fit = numbers.find("fit");
    list += fmt::format("{}{}", list.empty() ? "" : ", ", name);
    if (per_10000 != numbers.end()) list += fmt::format(" {:.3g}", per_10000->second);
    if (fit != numbers.end()) list += fmt::format(" (fit {:.3g} s)", fit->second);
  }
  log.info("eval", "seconds per 10,000 images: {}", list);
}

}  // namespace

Evaluator::Evaluator(const RunOptions& options, const OpenData& data, const FoundCheckpoint& found,
                     std::vector<std::string> scores, const Log& log, comm::Communicator& ranks)
    : options_(options),
      data_(data),
      context_{.exec = {}, .seed = options.seed, .log = log},
      plan_(plan_model(options, data)),
      model_(options.model, plan_.shape,
             network_settings(options, scores), options.seed, context_.exec, log),
      shape_(score_shape(options, plan_, model_)),
      scores_(std::move(scores), shape_, plan_.default_score),
      ranks_(ranks) {
  require_library(options);
  const std::string file = found.path.string();
  if (found.checkpoint.model != model_.description())
    throw ConfigError("checkpoint " + file, "a model of this configuration: " + model_.description(),
                      found.checkpoint.model);
  restore_model(context_.exec, found.checkpoint, file, model_);
  fitted_ = FittedScores(scores_, head_model(model_, shape_), options_.eval.scores);
}

EvaluationResult Evaluator::run() {
  const auto batch = static_cast<std::size_t>(options_.train.eval_batch);
  Inference<Device, Real> inference(model_, scores_.of_outputs(), shape_, batch);
  if (fitted_.move_images()) inference.move_images(shape_, options_.eval.scores.odin, data_.std);
  const Keep test_keep = fitted_.read_more() ? Keep::all : Keep::outputs_and_features;
  const Keep keep = fitted_.empty()           ? Keep::scores
                    : fitted_.read_more()     ? Keep::all
                    : fitted_.read_features() ? Keep::outputs_and_features
                                              : Keep::outputs;
  ModelBlocks training(context_, data_.known_train, data_, options_.data, inference, keep, ranks_);
  fitted_.fit(training, scores_, context_.log);

  EvaluationResult result;
  result.scores = scores_.names();
  result.classes = plan_.classes;
  result.features = model_.features();
  result.test = OpenSetTest<Device, Real>(context_, data_, options_.data, batch, ranks_)
                    .run(context_.exec, inference, test_keep);
  result.outputs_sha256 = result.test.outputs_sha256(std::size_t(model_.columns()));
  for (io::SetScores* const set : result.test.sets()) {
    fitted_.add_to(*set, scores::SampleRows::Origin::other);
    scores_.arrange(*set);
  }
  result.train_known = scores_of(training, scores::SampleRows::Origin::training);
  if (data_.validation.count() > 0) {
    ModelBlocks validation(context_, data_.validation, data_, options_.data, inference, keep, ranks_);
    result.validation = scores_of(validation, scores::SampleRows::Origin::other);
  }
  add_decisions(result);
  result.seconds = seconds_of(inference.times());
  log_seconds(result.seconds, context_.log);
  return result;
}

run::ScoreTables Evaluator::seconds_of(const InferenceTimes& times) const {
  run::ScoreTables seconds;
  const auto add = [&](const std::string& name, const double took, const std::size_t images) {
    if (images > 0) seconds[name]["per_10000"] = 1e4 * took / double(images);
  };
  add("network", times.network, times.images);
  if (times.moving > 0) add("moved_images", times.moving, times.images);
  if (times.decoding > 0) add("decoded_images", times.decoding, times.images);
  for (std::size_t i = 0; i < times.scores.size(); ++i) add(scores_.of_outputs()[i], times.scores[i], times.images);
  for (const auto& [name, one] : fitted_.times()) {
    add(name, one.scoring, one.images);
    seconds[name]["fit"] = one.fitting;
  }
  return seconds;
}

io::SetScores Evaluator::scores_of(ModelBlocks& blocks, const scores::SampleRows::Origin origin) {
  io::SetScores result;
  const auto append = [](auto& list, const auto& more) { list.insert(list.end(), more.begin(), more.end()); };
  for (const std::string& name : scores_.names()) result.scores.emplace_back(name, std::vector<double>());
  blocks.for_each([&](const io::SetScores& block) {
    io::SetScores set = block;
    fitted_.add_to(set, origin);
    scores_.arrange(set);
    append(result.labels, set.labels);
    append(result.predictions, set.predictions);
    for (std::size_t i = 0; i < set.scores.size(); ++i) append(result.scores[i].second, set.scores[i].second);
  });
  return result;
}

void Evaluator::add_decisions(EvaluationResult& result) const {
  // Scores of images that were trained on are too good: where there are others, thresholds come from them.
  const io::SetScores& judged = result.validation ? *result.validation : result.train_known;
  const std::string origin = result.validation ? "validation" : "training";
  for (const auto& [name, values] : judged.scores) {
    for (Decision& decision :
         threshold_decisions(name, shape_, values, origin, options_.eval, name == result.scores.front()))
      result.decisions.push_back(std::move(decision));
  }
  for (const std::string& name : fitted_.deciding())
    result.decisions.push_back({name, "own", std::nullopt, "C + 1 outcomes"});
  for (io::SetScores* const set : result.test.sets()) {
    for (const Decision& decision : result.decisions)
      set->decisions.emplace_back(decision.name(), decision.threshold ? decide(*set, decision, plan_.classes)
                                                                      : fitted_.decide(decision.score, *set));
    set->latents = {};
    set->moved_outputs = {};
    set->errors = {};
    set->class_errors = {};
  }
}

void Evaluator::write_fitted(const std::filesystem::path& path, const std::string& weights_sha256) const {
  if (!fitted_.empty()) fitted_.write(path, weights_sha256);
}

std::vector<float> Evaluator::anchors() const {
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), model_.anchors());
  return std::vector<float>(host.data(), host.data() + host.size());
}

}  // namespace bcr::train
