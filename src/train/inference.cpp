#include "src/train/inference.hpp"

#include "losses/absolute_error.hpp"
#include "losses/squared_error.hpp"
#include "src/core/instances.hpp"

#include <algorithm>

namespace bcr::train {
namespace {

/// Appends a View to a list on the host, converted to its type.
template <class Exec, class View, class To>
void append(const Exec& exec, const View& view, std::vector<To>& list) {
  const auto host = Kokkos::create_mirror_view(Kokkos::WithoutInitializing, view);
  Kokkos::deep_copy(exec, host, view);
  exec.fence("bcr::train::Inference");
  std::transform(host.data(), host.data() + host.size(), std::back_inserter(list),
                 [](const auto value) { return static_cast<To>(value); });
}

}  // namespace

template <class Exec, class T>
Inference<Exec, T>::Inference(models::Model<Exec, T>& model, const std::vector<std::string>& scores,
                              const losses::ScoreShape& shape, const std::size_t batch)
    : model_(model),
      batch_(batch),
      classes_(static_cast<std::size_t>(shape.classes)),
      values_("bcr::train::scores", batch),
      predictions_("bcr::train::predictions", batch) {
  for (const std::string& name : scores) scores_.push_back(losses::make_score<Exec, T>(name, shape));
  times_.scores.resize(scores_.size(), 0.0);
  require<ConfigError>(!scores_.empty(), "Inference", "at least one score", "none");
}

template <class Exec, class T>
void Inference<Exec, T>::run_batch(const Exec& exec, const nn::Tensors<Exec, T>& inputs, const std::size_t rows,
                                   const Keep keep, io::SetScores& result) {
  Kokkos::Timer timer;
  const auto tensors = model_.forward(exec, {.phase = nn::Phase::inference}, inputs);
  exec.fence("bcr::train::Inference: the network is done");
  times_.network += timer.seconds();
  times_.images += rows;
  const auto features = tensors.matrix("features");
  const auto outputs = tensors.matrix(model_.output_name());
  const Vector<double, Exec> values(values_.data(), rows);
  const Labels<Exec> predictions(predictions_.data(), rows);
  for (std::size_t i = 0; i < scores_.size(); ++i) {
    timer.reset();
    scores_[i]->evaluate(exec, outputs, features, values, predictions);
    append(exec, values, result.scores[i].second);
    times_.scores[i] += timer.seconds();
  }
  append(exec, predictions, result.predictions);
  if (keep == Keep::scores) return;
  append(exec, outputs, result.outputs);
  if (keep == Keep::outputs) return;
  append(exec, features, result.features);
  if (keep == Keep::all) append_rest(exec, inputs, tensors, rows, result);
}

template <class Exec, class T>
void Inference<Exec, T>::append_rest(const Exec& exec, const nn::Tensors<Exec, T>& inputs,
                                     const nn::Tensors<Exec, T>& tensors, const std::size_t rows,
                                     io::SetScores& result) {
  if (tensors.contains("latent")) append(exec, tensors.matrix("latent"), result.latents);
  if (tensors.contains("reconstruction")) {
    const Vector<double, Exec> errors(values_.data(), rows);
    losses::squared_errors<Exec, T>(exec, inputs.matrix("images"), tensors.matrix("reconstruction"), errors);
    append(exec, errors, result.errors);
  }
  if (tensors.contains("reconstructions")) append_class_errors(exec, inputs, tensors, rows, result);
  if (!step_) return;
  const Kokkos::Timer timer;
  append(exec, step_->outputs(exec, inputs.images("images")), result.moved_outputs);
  times_.moving += timer.seconds();
}

template <class Exec, class T>
void Inference<Exec, T>::append_class_errors(const Exec& exec, const nn::Tensors<Exec, T>& inputs,
                                             const nn::Tensors<Exec, T>& tensors, const std::size_t rows,
                                             io::SetScores& result) {
  const Kokkos::Timer timer;
  const auto images = inputs.matrix("images");
  auto decoded = tensors.matrix("reconstructions");
  const std::size_t at_once = decoded.extent(1) / images.extent(1), begin = result.class_errors.size();
  result.class_errors.resize(begin + rows * classes_);
  const Matrix<double, Exec> errors("bcr::train::class_errors", rows, at_once);
  for (std::size_t first = 0; first < classes_; first += at_once) {
    if (first > 0) {
      const nn::PassInfo pass{.phase = nn::Phase::inference, .first_condition = static_cast<int>(first)};
      decoded = model_.network().forward(exec, pass, inputs).matrix("reconstructions");
    }
    losses::absolute_errors<Exec, T>(exec, images, decoded, errors);
    std::vector<double> found;
    append(exec, errors, found);
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t s = 0; s < std::min(at_once, classes_ - first); ++s)
        result.class_errors[begin + i * classes_ + first + s] = found[i * at_once + s];
  }
  times_.decoding += timer.seconds();
}

template <class Exec, class T>
io::SetScores Inference<Exec, T>::nothing() const {
  io::SetScores result;
  for (const auto& score : scores_) result.scores.emplace_back(score->name(), std::vector<double>());
  return result;
}

template <class Exec, class T>
io::SetScores Inference<Exec, T>::run(const Exec& exec, Loader<Exec, T>& loader, std::vector<std::int32_t> labels,
                                      const Keep keep) {
  io::SetScores result = nothing();
  const nn::Tensor<Exec, T> buffer = loader.make_batch(std::min(batch_, loader.count()));
  const auto range = [&](const std::size_t first) {
    return PositionRange{first, first < loader.count() ? std::min(batch_, loader.count() - first) : 0};
  };
  for (std::size_t first = 0; first < loader.count(); first += batch_) {
    const PositionRange here = range(first);
    const nn::Tensor<Exec, T> samples = slice(buffer, 0, here.count);
    loader.load(exec, {.range = here, .next = range(first + batch_)}, samples, {});
    nn::Tensors<Exec, T> inputs;
    inputs.set(loader.input_name(), samples);
    run_batch(exec, inputs, here.count, keep, result);
  }
  result.labels = std::move(labels);
  return result;
}

#define BCR_INSTANCE(Exec, T) template class Inference<Exec, T>;
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::train
