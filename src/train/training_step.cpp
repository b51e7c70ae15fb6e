#include "src/train/training_step.hpp"

#include "src/core/instances.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bcr::train {
namespace {

/// The last `count` totals.
template <class Exec>
std::vector<double> read_tail(const Exec& exec, const Vector<double, Exec>& totals, const std::size_t count) {
  std::vector<double> values(count);
  const Kokkos::View<double*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged> host(values.data(), count);
  Kokkos::deep_copy(exec, host, Vector<double, Exec>(totals.data() + (totals.size() - count), count));
  exec.fence("bcr::train::TrainingStep: the numbers are here");
  return values;
}

nn::PassInfo pass_of(const StepSettings& settings, const BatchPlace& place, const std::size_t known,
                     const nn::RunningStatistics running) {
  // Image i of the shard is a known one if i < known, number known_first + i of the batch; the background ones follow
  // the known ones of the whole batch.
  return {.phase = nn::Phase::training,
          .seed = settings.seed,
          .step = static_cast<std::uint32_t>(settings.step),
          .images = {.split = known,
                     .first_shift = place.known_first,
                     .second_shift = place.known_of_batch + place.background_first - known},
          .running = running};
}

}  // namespace

template <class Exec, class T>
TrainingStep<Exec, T>::TrainingStep(const Parts& parts, const comm::ShardLayout& layout, const ShardOptions& options)
    : with_(parts),
      layout_(layout),
      batch_norm_(layout.shards > 1 ? options.batch_norm : BatchNormScope::shard),
      differentiated_(parts.objective.differentiates()),
      number_count_(parts.objective.numbers().size()),
      diff_outputs_("bcr::train::diff_outputs", parts.objective.shape().most_rows, parts.model.columns()),
      gradients_(parts.model.parameters(), parts.ranks, layout.count,
                 static_cast<std::size_t>(options.bucket_mib * (1 << 20))),
      statistics_(layout.shards > 1 && batch_norm_ == BatchNormScope::shard
                      ? parts.model.network().batch_sums().size()
                      : 0),
      totals_(Vector<double, Exec>("bcr::train::totals", statistics_ + number_count_ + 1), layout.count),
      totals_join_(parts.ranks, totals_.result().size()),
      statistics_join_(parts.ranks, parts.model.network().batch_sums().size()) {
  if (batch_norm_ == BatchNormScope::global) lock_step_.emplace(parts.model.network(), statistics_join_, layout.count);
  const std::vector<std::string> given = parts.model.tensor_names();
  for (const std::string& name : differentiated_)
    if (std::find(given.begin(), given.end(), name) == given.end())
      throw ConfigError(fmt::format("objective {}", parts.objective.name()),
                        fmt::format("a model that gives '{}'", name), fmt::format("{}", fmt::join(given, ", ")));
}

template <class Exec, class T>
StepAgreement TrainingStep<Exec, T>::run(const Exec& exec, const Load& load, const StepSettings& settings,
                                         const bool stop, RegionClock<Exec>& clock) {
  gradients_.begin_step(exec);
  if (batch_norm_ == BatchNormScope::global) {
    run_side_by_side(exec, load, settings, clock);
  } else {
    run_one_by_one(exec, load, settings, clock);
  }
  const StepAgreement agreement = join_totals(exec, settings.step, stop);
  gradients_.finish();
  if (with_.ranks.size() > 1) clock.end(Region::communication);

  if (statistics_ > 0)
    with_.model.network().renew_running_statistics(exec, Vector<double, Exec>(totals_.result().data(), statistics_),
                                                   static_cast<double>(images_));
  const auto& parameters = with_.model.parameters();
  with_.optimizer.step(exec, settings.rate, parameters.gradients(), parameters.values());
  clock.end(Region::update);
  return agreement;
}

template <class Exec, class T>
void TrainingStep<Exec, T>::note(const Batch& batch) {
  known_images_ = batch.place.known_of_batch;
  images_ = batch.place.known_of_batch + batch.place.background_of_batch;
  last_shard_ = batch.rows;
}

template <class Exec, class T>
bool TrainingStep<Exec, T>::has_gradient_by(const std::string_view tensor) const {
  return std::find(differentiated_.begin(), differentiated_.end(), tensor) != differentiated_.end();
}

template <class Exec, class T>
nn::Tensors<Exec, T> TrainingStep<Exec, T>::gradients_of(const Exec& exec, const std::size_t rows,
                                                         const int place) const {
  nn::Tensors<Exec, T> gradients;
  for (const std::string& name : with_.model.tensor_names()) {
    const bool of_head = name == with_.model.output_name();
    const nn::Tensor<Exec, T> gradient =
        of_head ? nn::Tensor<Exec, T>(Matrix<T, Exec>(diff_outputs_.data(), rows, diff_outputs_.extent(1)))
                : with_.model.network().diff(name, rows, place);
    gradients.set(name, gradient);
    if (!has_gradient_by(name) && name != "features") Kokkos::deep_copy(exec, gradient.images(), T(0));
  }
  return gradients;
}

template <class Exec, class T>
void TrainingStep<Exec, T>::run_head(const Exec& exec, const Batch& batch, nn::Tensors<Exec, T> tensors,
                                     const double lambda, const int shard, const int place) {
  const Matrix<T, Exec> features = tensors.matrix("features");
  const nn::Tensors<Exec, T> gradients = gradients_of(exec, batch.rows, place);
  for (const auto& [name, input] : batch.inputs.entries()) tensors.set(name, input);
  tensors.set(with_.model.output_name(), with_.model.forward_head(exec, features));
  const Vector<double, Exec>& totals = totals_.array_of(shard);
  gradients_.begin_shard(shard);
  with_.objective.evaluate(exec,
                           {.tensors = std::move(tensors),
                            .labels = batch.labels,
                            .lambda = lambda,
                            .known_divisor = static_cast<double>(batch.place.known_of_batch),
                            .background_divisor = static_cast<double>(batch.place.background_of_batch)},
                           gradients, Vector<double, Exec>(totals.data() + statistics_, number_count_));
  totals_.add(exec, shard, 0, totals.size());
  with_.model.backward_head(exec, features, gradients.matrix(with_.model.output_name()),
                            has_gradient_by("features") ? kernels::ChainStart::dst : kernels::ChainStart::zero, place);
  gradients_.gradients_written(with_.model.head_begin());
}

template <class Exec, class T>
void TrainingStep<Exec, T>::run_one_by_one(const Exec& exec, const Load& load, const StepSettings& settings,
                                           RegionClock<Exec>& clock) {
  const auto running = statistics_ > 0 ? nn::RunningStatistics::left : nn::RunningStatistics::renewed;
  for (int shard = 0; shard < layout_.count; ++shard) {
    const Batch batch = load(shard);
    note(batch);
    clock.end(Region::data);
    const auto pass = pass_of(settings, batch.place, batch.labels.extent(0), running);
    nn::Tensors<Exec, T> tensors = with_.model.network().forward(exec, pass, batch.inputs);
    if (statistics_ > 0) {
      const Vector<double, Exec> sums(totals_.array_of(shard).data(), statistics_);
      if (batch.rows > 0) {
        Kokkos::deep_copy(exec, sums, with_.model.network().batch_sums());
      } else {
        Kokkos::deep_copy(exec, sums, 0.0);
      }
    }
    clock.end(Region::forward);
    run_head(exec, batch, std::move(tensors), settings.lambda, shard, 0);
    clock.end(Region::head);
    with_.model.network().backward(exec, pass, batch.inputs, &gradients_);
    clock.end(Region::backward);
  }
}

template <class Exec, class T>
void TrainingStep<Exec, T>::run_side_by_side(const Exec& exec, const Load& load, const StepSettings& settings,
                                             RegionClock<Exec>& clock) {
  std::vector<Batch> loaded;
  std::vector<nn::ShardPass<Exec, T>> shards;
  for (int shard = 0; shard < layout_.count; ++shard) {
    loaded.push_back(load(shard));
    const Batch& batch = loaded.back();
    note(batch);
    shards.push_back(
        {pass_of(settings, batch.place, batch.labels.extent(0), nn::RunningStatistics::renewed), batch.inputs});
  }
  clock.end(Region::data);
  statistics_join_.watch(clock, Region::forward);
  lock_step_->forward(exec, shards, static_cast<double>(images_));
  clock.end(Region::forward);
  for (int shard = 0; shard < layout_.count; ++shard) {
    const auto at = static_cast<std::size_t>(shard);
    run_head(exec, loaded[at], lock_step_->outputs(shards[at], shard), settings.lambda, shard, shard);
  }
  clock.end(Region::head);
  statistics_join_.watch(clock, Region::backward);
  lock_step_->backward(exec, shards, static_cast<double>(images_), gradients_);
  clock.end(Region::backward);
}

template <class Exec, class T>
StepAgreement TrainingStep<Exec, T>::join_totals(const Exec& exec, const std::uint64_t step, const bool stop) {
  if (with_.ranks.size() == 1) return {.stop = stop};
  const std::size_t tail = number_count_ + 1;  // the first number is the loss, the last total the wish to stop
  const Vector<double, Exec>& totals = totals_.result();
  Kokkos::deep_copy(exec, Vector<double, Exec>(totals.data() + totals.size() - 1, 1), stop ? 1.0 : 0.0);
  const bool own_is_finite = std::isfinite(read_tail(exec, totals, tail).front());
  if (!own_is_finite) first_not_finite_ = std::min(first_not_finite_, step);
  totals_join_.run(exec, totals);
  const std::vector<double> joined = read_tail(exec, totals, tail);
  return {.stop = joined.back() > 0, .finite = std::isfinite(joined.front())};
}

#define BCR_INSTANCE(Exec, T) template class TrainingStep<Exec, T>;
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::train
