#include "src/train/shards/sharded_step.hpp"

#include "src/core/instances.hpp"

#include <array>
#include <cmath>

namespace bcr::train {
namespace {

constexpr std::size_t tail = losses::loss_part_count + 1;  // the parts of the loss and the wish to stop

template <class Exec>
std::array<double, tail> read_tail(const Exec& exec, const Vector<double, Exec>& totals) {
  std::array<double, tail> values{};
  const Kokkos::View<double*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged> host(values.data(), tail);
  Kokkos::deep_copy(exec, host, Vector<double, Exec>(totals.data() + (totals.size() - tail), tail));
  exec.fence("bcr::train::ShardedStep: the parts of the loss are here");
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
ShardedStep<Exec, T>::ShardedStep(const Parts& parts, const comm::ShardLayout& layout, const ShardOptions& options)
    : with_(parts),
      layout_(layout),
      options_(options),
      diff_outputs_("bcr::train::diff_outputs", parts.loss.shape().most_rows, parts.loss.columns()),
      diff_features_factor_("bcr::train::diff_features_factor",
                            parts.loss.reads_features() ? parts.loss.shape().most_rows : 0),
      gradients_(parts.model.parameters(), parts.ranks, layout.count,
                 static_cast<std::size_t>(options.bucket_mib * (1 << 20))),
      statistics_(options.batch_norm == BatchNormScope::shard ? parts.model.network().batch_sums().size() : 0),
      totals_(Vector<double, Exec>("bcr::train::totals", statistics_ + tail), layout.count),
      totals_join_(parts.ranks, statistics_ + tail),
      statistics_join_(parts.ranks, parts.model.network().batch_sums().size()) {
  if (options.batch_norm == BatchNormScope::global)
    lock_step_.emplace(parts.model.network(), statistics_join_, layout.count);
}

template <class Exec, class T>
StepAgreement ShardedStep<Exec, T>::run(const Exec& exec, BatchSource<Exec, T>& batches, const StepSettings& settings,
                                        const bool stop, RegionClock<Exec>& clock) {
  gradients_.begin_step(exec);
  if (options_.batch_norm == BatchNormScope::global) {
    run_side_by_side(exec, batches, settings, clock);
  } else {
    run_one_by_one(exec, batches, settings, clock);
  }
  const StepAgreement agreement = join_totals(exec, settings.step, stop);
  gradients_.finish();
  clock.end(Region::communication);

  if (statistics_ > 0)
    with_.model.network().renew_running_statistics(exec, Vector<double, Exec>(totals_.result().data(), statistics_),
                                                   static_cast<double>(images_));
  const auto& parameters = with_.model.parameters();
  with_.optimizer.step(exec, settings.rate, parameters.gradients(), parameters.values());
  clock.end(Region::update);
  return agreement;
}

template <class Exec, class T>
void ShardedStep<Exec, T>::note(const Batch& batch) {
  known_images_ = batch.place.known_of_batch;
  images_ = batch.place.known_of_batch + batch.place.background_of_batch;
  last_shard_ = batch.rows;
}

template <class Exec, class T>
void ShardedStep<Exec, T>::run_head(const Exec& exec, const Batch& batch, const Matrix<T, Exec>& features,
                                    const double lambda, const int shard, const int place) {
  const std::size_t rows = batch.rows;
  const Matrix<T, Exec> outputs = with_.model.forward_head(exec, features);
  const Matrix<T, Exec> diff_outputs(diff_outputs_.data(), rows, diff_outputs_.extent(1));
  const Vector<T, Exec> factor(diff_features_factor_.data(), with_.loss.reads_features() ? rows : 0);
  const Vector<double, Exec>& totals = totals_.array_of(shard);
  with_.loss.evaluate(exec,
                      {.outputs = outputs,
                       .features = features,
                       .labels = batch.labels,
                       .known_divisor = static_cast<double>(batch.place.known_of_batch),
                       .background_divisor = static_cast<double>(batch.place.background_of_batch)},
                      lambda, {.diff_outputs = diff_outputs, .diff_features_factor = factor},
                      Vector<double, Exec>(totals.data() + statistics_, losses::loss_part_count));
  totals_.add(exec, shard, 0, totals.size());
  gradients_.begin_shard(shard);
  with_.model.backward_head(exec, features, diff_outputs, factor, place);
  gradients_.gradients_written(with_.model.head_begin());
}

template <class Exec, class T>
void ShardedStep<Exec, T>::run_one_by_one(const Exec& exec, BatchSource<Exec, T>& batches, const StepSettings& settings,
                                          RegionClock<Exec>& clock) {
  for (int shard = 0; shard < layout_.count; ++shard) {
    const Batch batch = batches.load(exec, settings.step, shard);
    note(batch);
    clock.end(Region::data);
    const auto pass = pass_of(settings, batch.place, batch.labels.extent(0), nn::RunningStatistics::left);
    const Matrix<T, Exec> features = with_.model.forward_features(exec, pass, batch.inputs);
    const Vector<double, Exec> sums(totals_.array_of(shard).data(), statistics_);
    if (batch.rows > 0) {
      Kokkos::deep_copy(exec, sums, with_.model.network().batch_sums());
    } else {
      Kokkos::deep_copy(exec, sums, 0.0);
    }
    clock.end(Region::forward);
    run_head(exec, batch, features, settings.lambda, shard, 0);
    clock.end(Region::head);
    with_.model.backward_features(exec, pass, batch.inputs, &gradients_);
    clock.end(Region::backward);
  }
}

template <class Exec, class T>
void ShardedStep<Exec, T>::run_side_by_side(const Exec& exec, BatchSource<Exec, T>& batches,
                                            const StepSettings& settings, RegionClock<Exec>& clock) {
  std::vector<Batch> loaded;
  std::vector<nn::ShardPass<Exec, T>> shards;
  for (int shard = 0; shard < layout_.count; ++shard) {
    loaded.push_back(batches.load(exec, settings.step, shard));
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
    run_head(exec, loaded[at], lock_step_->outputs(shards[at], shard).matrix("features"), settings.lambda, shard,
             shard);
  }
  clock.end(Region::head);
  statistics_join_.watch(clock, Region::backward);
  lock_step_->backward(exec, shards, static_cast<double>(images_), gradients_);
  clock.end(Region::backward);
}

template <class Exec, class T>
StepAgreement ShardedStep<Exec, T>::join_totals(const Exec& exec, const std::uint64_t step, const bool stop) {
  if (with_.ranks.size() == 1) return {.stop = stop};
  const Vector<double, Exec>& totals = totals_.result();
  const Vector<double, Exec> wish(totals.data() + totals.size() - 1, 1);
  Kokkos::deep_copy(exec, wish, stop ? 1.0 : 0.0);
  const bool own_is_finite = std::isfinite(read_tail(exec, totals)[int(losses::LossPart::total)]);
  if (!own_is_finite) first_not_finite_ = std::min(first_not_finite_, step);
  totals_join_.run(exec, totals);
  const auto joined = read_tail(exec, totals);
  return {.stop = joined.back() > 0, .finite = std::isfinite(joined[int(losses::LossPart::total)])};
}

#define BCR_INSTANCE(Exec, T) template class ShardedStep<Exec, T>;
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::train
