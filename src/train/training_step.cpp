#include "src/train/training_step.hpp"

#include "src/core/instances.hpp"

namespace bcr::train {

template <class Exec, class T>
TrainingStep<Exec, T>::TrainingStep(models::Model<Exec, T>& model, losses::Loss<Exec, T>& loss,
                                    optim::Optimizer<Exec, T>& optimizer)
    : model_(model),
      loss_(loss),
      optimizer_(optimizer),
      diff_outputs_("bcr::train::diff_outputs", loss.shape().most_rows, loss.columns()),
      diff_features_factor_("bcr::train::diff_features_factor", loss.reads_features() ? loss.shape().most_rows : 0),
      parts_("bcr::train::loss_parts", losses::loss_part_count) {}

template <class Exec, class T>
void TrainingStep<Exec, T>::run(const Exec& exec, const StepBatch<Exec, T>& batch, const StepSettings& settings,
                                RegionClock<Exec>& clock) {
  const nn::PassInfo pass{nn::Phase::training, settings.seed, static_cast<std::uint32_t>(settings.step)};
  const std::size_t rows = batch.rows;
  const Matrix<T, Exec> features = model_.forward_features(exec, pass, batch.inputs);
  clock.end(Region::forward);

  const Matrix<T, Exec> outputs = model_.forward_head(exec, features);
  const Matrix<T, Exec> diff_outputs(diff_outputs_.data(), rows, diff_outputs_.extent(1));
  const Vector<T, Exec> factor(diff_features_factor_.data(), loss_.reads_features() ? rows : 0);
  loss_.evaluate(exec, {.outputs = outputs, .features = features, .labels = batch.labels}, settings.lambda,
                 {.diff_outputs = diff_outputs, .diff_features_factor = factor}, parts_);
  model_.backward_head(exec, features, diff_outputs, factor);
  clock.end(Region::head);

  model_.backward_features(exec, pass, batch.inputs);
  clock.end(Region::backward);

  optimizer_.step(exec, settings.rate, model_.parameters().gradients(), model_.parameters().values());
  clock.end(Region::update);
}

#define BCR_INSTANCE(Exec, T) template class TrainingStep<Exec, T>;
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::train
