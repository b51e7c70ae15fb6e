#include "src/train/evaluator.hpp"

#include "src/metrics/threshold.hpp"
#include "src/train/model_state.hpp"

namespace bcr::train {
namespace {

template <class Function>
void for_each_set(EvaluationResult& result, const Function& function) {
  function(result.test.known);
  for (auto& [name, set] : result.test.unknown) function(set);
  function(result.train_known);
  if (result.validation) function(*result.validation);
}

}  // namespace

metrics::RejectionThresholds rejection_thresholds(const std::string& score, const losses::ScoreShape& shape,
                                                  const std::vector<double>& train_known) {
  metrics::RejectionThresholds thresholds;
  if (losses::all_scores().contains(score)) {
    const losses::ScoreEntry& entry = losses::all_scores().find(score);
    if (entry.inclusion_boundary) thresholds.inclusion = entry.inclusion_boundary(shape);
  }
  if (!train_known.empty()) thresholds.known_recall = metrics::known_recall_threshold<double>(train_known, 0.95);
  return thresholds;
}

Evaluator::Evaluator(const RunOptions& options, const OpenData& data, const FoundCheckpoint& found,
                     std::vector<std::string> scores, const Log& log, comm::Communicator& ranks)
    : options_(options),
      data_(data),
      context_{.exec = {}, .seed = options.seed, .log = log},
      plan_(plan_model(options, data)),
      model_(options.model, plan_.shape,
             {.mode = options.mode, .training_images = 0, .inference_images = options.train.eval_batch}, options.seed,
             context_.exec, log),
      scores_(std::move(scores), score_shape(options, plan_, model_.features()), plan_.default_score),
      ranks_(ranks) {
  const std::string file = found.path.string();
  if (found.checkpoint.model != model_.description())
    throw ConfigError("checkpoint " + file, "a model of this configuration: " + model_.description(),
                      found.checkpoint.model);
  restore_model(context_.exec, found.checkpoint, file, model_);
}

EvaluationResult Evaluator::run() {
  const auto batch = static_cast<std::size_t>(options_.train.eval_batch);
  const losses::ScoreShape shape = score_shape(options_, plan_, model_.features());
  Inference<Device, Real> inference(model_, scores_.of_outputs(), shape, batch);
  EvaluationResult result;
  result.scores = scores_.names();
  result.classes = plan_.classes;
  result.features = model_.features();
  result.test = OpenSetTest<Device, Real>(context_, data_, options_.data, batch, ranks_)
                    .run(context_.exec, inference, Keep::outputs_and_features);
  result.outputs_sha256 = result.test.outputs_sha256(std::size_t(model_.columns()));
  result.train_known = SharedSet<Device, Real>(context_, data_.known_train, data_, options_.data, batch, ranks_)
                           .run(context_.exec, inference, scores_.has_openmax() ? Keep::outputs : Keep::scores);
  if (data_.validation.count() > 0)
    result.validation = SharedSet<Device, Real>(context_, data_.validation, data_, options_.data, batch, ranks_)
                            .run(context_.exec, inference, scores_.has_openmax() ? Keep::outputs : Keep::scores);
  if (scores_.has_openmax()) add_openmax(result);
  for_each_set(result, [&](io::SetScores& set) { scores_.arrange(set); });
  // Scores of images that were trained on are too good: where there are others, thresholds come from them.
  const io::SetScores& judged = result.validation ? *result.validation : result.train_known;
  for (const auto& [name, values] : judged.scores)
    result.thresholds.push_back({name, rejection_thresholds(name, shape, values)});
  return result;
}

void Evaluator::add_openmax(EvaluationResult& result) const {
  result.openmax.emplace(result.train_known, plan_.classes, options_.eval.openmax);
  const int fitted = result.openmax->classes_with_tail();
  if (fitted < plan_.classes)
    context_.log.warning("eval", "openmax: {} of {} classes have no tail to fit: too few training images are right",
                         plan_.classes - fitted, plan_.classes);
  for_each_set(result, [&](io::SetScores& set) { result.openmax->add_to(set); });
  result.train_known.outputs.clear();
  if (result.validation) result.validation->outputs.clear();
}

std::vector<float> Evaluator::anchors() const {
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), model_.anchors());
  return std::vector<float>(host.data(), host.data() + host.size());
}

}  // namespace bcr::train
