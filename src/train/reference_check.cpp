#include "src/train/reference_check.hpp"

#include "src/train/model_state.hpp"

#include <algorithm>
#include <cmath>

namespace bcr::train {
namespace {

using Host = Kokkos::DefaultHostExecutionSpace;

/// One of the two models, with its results for a batch on the host.
template <class Exec, class T>
class ComparedModel {
 public:
  ComparedModel(models::Model<Exec, T>& model, const losses::ScoreShape& shape, const std::string& score,
                const std::size_t batch)
      : model_(model),
        score_(losses::make_score<Exec, T>(score, shape)),
        values_("bcr::train::reference_scores", batch),
        predictions_("bcr::train::reference_predictions", batch) {
    if (shape.outputs == losses::HeadOutputs::squared_distances)
      inclusion_ = losses::make_score<Exec, T>("inclusion", shape);
  }

  struct Results {
    std::vector<double> features, outputs, inclusion, scores;
    std::vector<std::int32_t> predictions;
  };

  Results evaluate(const Exec& exec, Loader<Exec, T>& loader, const PositionRange range) {
    const nn::Tensor<Exec, T> samples = loader.make_batch(range.count);
    loader.load(exec, {.range = range}, samples, {});
    nn::Tensors<Exec, T> inputs;
    inputs.set(loader.input_name(), samples);
    const auto tensors = model_.forward(exec, {.phase = nn::Phase::inference}, inputs);
    const auto features = tensors.matrix("features");
    const auto outputs = tensors.matrix(model_.output_name());
    Results results{to_list<double>(features), to_list<double>(outputs), {}, {}, {}};
    const Vector<double, Exec> values(values_.data(), range.count);
    const Labels<Exec> predictions(predictions_.data(), range.count);
    if (inclusion_) {
      inclusion_->evaluate(exec, outputs, features, values, predictions);
      exec.fence();
      results.inclusion = to_list<double>(values);
    }
    score_->evaluate(exec, outputs, features, values, predictions);
    exec.fence();
    results.scores = to_list<double>(values);
    results.predictions = to_list<std::int32_t>(predictions);
    return results;
  }

 private:
  template <class To, class View>
  static std::vector<To> to_list(const View& view) {
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
    return std::vector<To>(host.data(), host.data() + host.size());
  }

  models::Model<Exec, T>& model_;
  std::unique_ptr<losses::Score<Exec, T>> score_;
  std::unique_ptr<losses::Score<Exec, T>> inclusion_;
  Vector<double, Exec> values_;
  Labels<Exec> predictions_;
};

enum class Measure { absolute, relative };

void widen(double& largest, const std::vector<double>& ours, const std::vector<double>& reference,
           const Measure measure) {
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const double scale = measure == Measure::relative ? std::max(1.0, std::abs(reference[i])) : 1.0;
    const double difference = ours[i] == reference[i] ? 0 : std::abs(ours[i] - reference[i]) / scale;
    if (!(difference <= largest)) largest = difference;  // a NaN shows
  }
}

template <class A, class B>
void compare(const A& ours, const B& reference, ReferenceDifferences& differences) {
  widen(differences.feature, ours.features, reference.features, Measure::absolute);
  widen(differences.output, ours.outputs, reference.outputs, Measure::relative);
  widen(differences.log_inclusion, ours.inclusion, reference.inclusion, Measure::relative);
  widen(differences.score, ours.scores, reference.scores, Measure::relative);
  for (std::size_t i = 0; i < ours.predictions.size(); ++i)
    if (ours.predictions[i] != reference.predictions[i]) ++differences.predictions;
  differences.images += ours.predictions.size();
}

}  // namespace

ReferenceDifferences compare_with_reference(Evaluator& evaluator, const RunOptions& options, const OpenData& data,
                                            const FoundCheckpoint& found, const std::size_t most_images) {
  const auto batch = static_cast<std::size_t>(options.train.eval_batch);
  const Context<Host> host{.exec = {}, .seed = options.seed, .log = evaluator.context().log};
  models::Model<Host, double> reference(
      options.model, evaluator.plan().shape,
      {.mode = nn::Mode::strict, .training_images = 0, .inference_images = options.train.eval_batch}, options.seed,
      host.exec, host.log);
  restore_model(host.exec, found.checkpoint, found.path.string(), reference);
  const losses::ScoreShape shape = score_shape(options, evaluator.plan(), evaluator.model());
  ComparedModel<Device, Real> ours(evaluator.model(), shape, evaluator.plan().default_score, batch);
  ComparedModel<Host, double> theirs(reference, shape, evaluator.plan().default_score, batch);

  ReferenceDifferences differences;
  for (const Side& side : sides(data)) {
    const std::size_t images = side.is_test ? std::min(most_images, side.samples.count()) : 0;
    if (images == 0) continue;
    const Dataset compared = side.samples.part(0, images);
    auto loader = make_test_loader<Device, Real>(evaluator.context(), compared, data, options.data, batch);
    auto reference_loader = make_test_loader<Host, double>(host, compared, data, options.data, batch);
    for (std::size_t first = 0; first < images; first += batch) {
      const PositionRange range{first, std::min(batch, images - first)};
      compare(ours.evaluate(evaluator.context().exec, loader, range),
              theirs.evaluate(host.exec, reference_loader, range), differences);
    }
  }
  return differences;
}

}  // namespace bcr::train
