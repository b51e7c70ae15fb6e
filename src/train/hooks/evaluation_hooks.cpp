#include "src/train/hooks/evaluation_hooks.hpp"

#include "src/metrics/registry.hpp"
#include "src/run/set_metrics.hpp"

#include <cmath>

namespace bcr::train {
namespace {

/// The mean of a metric of the only score over the unknown sets, where it is defined.
std::vector<metrics::MetricValue> mean_metrics(const TestScores& scores, const int classes) {
  const std::string& score = scores.known.scores.front().first;
  std::vector<std::vector<metrics::MetricValue>> sets;
  const auto add = [&](const io::SetScores* const unknown) {
    sets.push_back(metrics::evaluate_all_metrics(run::evaluate_set(scores.known, unknown, score, classes)));
  };
  for (const auto& [name, set] : scores.unknown) add(&set);
  if (sets.empty()) add(nullptr);
  return metrics::mean_of_sets(sets);
}

double find(const std::vector<metrics::MetricValue>& values, const std::string_view name) {
  for (const metrics::MetricValue& value : values)
    if (value.metric->name == name && value.value) return *value.value;
  return std::nan("");
}

}  // namespace

EvaluationHook::EvaluationHook(Experiment& experiment)
    : inference_(experiment.model, {experiment.plan.default_score},
                 score_shape(experiment.options, experiment.plan, experiment.model),
                 static_cast<std::size_t>(experiment.options.train.eval_batch)) {}

void EvaluationHook::begin(TrainingState& state) {
  if (state.step > 0 && state.at_epoch_end()) after_epoch(state);
}

void EvaluationHook::after_epoch(TrainingState& state) {
  if (state.stops) return;
  const int every = state.experiment.options.train.eval_every;
  if (state.at_end() || (every > 0 && state.epochs_done() % every == 0)) evaluate(state);
}

ValidationHook::ValidationHook(Experiment& experiment)
    : EvaluationHook(experiment),
      images_(experiment.context, experiment.data.validation, experiment.data, experiment.options.data,
              inference().batch(), experiment.ranks) {}

void ValidationHook::save(io::Checkpoint& checkpoint) const {
  checkpoint.best = best_.save();
  if (checkpoint.step == scored_at_) checkpoint.calibration = calibration_;
}

void ValidationHook::restore(const io::Checkpoint& checkpoint) {
  best_.restore(checkpoint.best);
}

void ValidationHook::evaluate(TrainingState& state) {
  const Experiment& experiment = state.experiment;
  TestScores scores;
  scores.known = images_.run(experiment.context.exec, inference(), Keep::scores);
  scored_at_ = state.step;
  calibration_ = {scores.known.scores.front().first, scores.known.scores.front().second, scores.known.predictions,
                  scores.known.labels};
  const auto values = mean_metrics(scores, experiment.plan.classes);
  state.log.write(EvalRecord{"validation", state.epochs_done(), state.step, experiment.plan.default_score, values});
  const double accuracy = find(values, "accuracy");
  experiment.context.log.info("train", "validation: accuracy {:.4f}", accuracy);
  if (best_.take(accuracy, state.epochs_done()))
    state.write_on_root([&] { io::write_checkpoint(state.directory.best(), state.checkpoint()); });
  const int patience = experiment.options.train.patience;
  if (!best_.is_out_of_patience(state.epochs_done(), patience)) return;
  experiment.context.log.info("train", "ends after epoch {}: none of the last {} was better than epoch {}",
                              state.epochs_done(), patience, best_.epoch());
  state.ends_early = true;
}

void ValidationHook::end(TrainingState& state) {
  // The latest checkpoint is older than the evaluation of its weights.
  state.write_on_root([&] { io::write_checkpoint(state.directory.latest(), state.checkpoint()); });
}

TestHook::TestHook(Experiment& experiment)
    : EvaluationHook(experiment),
      test_(experiment.context, experiment.data, experiment.options.data, inference().batch(), experiment.ranks) {}

void TestHook::evaluate(TrainingState& state) {
  const Experiment& experiment = state.experiment;
  const Keep keep = state.at_end() ? Keep::outputs : Keep::scores;
  const TestScores scores = test_.run(experiment.context.exec, inference(), keep);
  if (!state.is_root()) return;
  if (keep != Keep::scores)
    state.manifest.set("sha256.test_logits", scores.outputs_sha256(std::size_t(experiment.model.columns())));
  const auto values = mean_metrics(scores, experiment.plan.classes);
  state.log.write(EvalRecord{"eval", state.epochs_done(), state.step, experiment.plan.default_score, values});
  experiment.context.log.info("train", "test: accuracy {:.4f}, AUROC {:.4f}, OSCR area {:.4f}",
                              find(values, "accuracy"), find(values, "auroc"), find(values, "oscr_area"));
}

}  // namespace bcr::train
