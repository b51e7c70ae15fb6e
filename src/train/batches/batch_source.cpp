#include "src/train/batches/batch_source.hpp"

#include "src/core/instances.hpp"

#include <algorithm>
#include <string>

namespace bcr::train {

PositionRange Shard::of(const PositionRange whole) const {
  const auto parts = static_cast<std::size_t>(count);
  const std::size_t begin = whole.count * static_cast<std::size_t>(index) / parts;
  const std::size_t end = whole.count * static_cast<std::size_t>(index + 1) / parts;
  return {whole.first + begin, end - begin};
}

void BatchPlan::require_valid() const {
  require<ConfigError>(known_count > 0 && known_batch > 0, "batches", "at least one known image and a batch of one",
                       std::to_string(known_count) + " and " + std::to_string(known_batch));
  require<ConfigError>(shard.count > 0 && shard.index >= 0 && shard.index < shard.count, "batches",
                       "a shard below the number of shards",
                       std::to_string(shard.index) + " of " + std::to_string(shard.count));
  require<ConfigError>(
      own_shards > 0 && shard.index + own_shards <= shard.count && (held_at_once == 1 || held_at_once == own_shards),
      "batches", "own shards that exist, held one or all at once",
      std::to_string(own_shards) + " from " + std::to_string(shard.index) + " on, " + std::to_string(held_at_once) +
          " at once");
  require<ConfigError>(steps_per_epoch() > 0, "batches", "at least " + std::to_string(known_batch) + " known images",
                       std::to_string(known_count));
}

std::uint64_t BatchPlan::steps_per_epoch() const {
  const std::uint64_t spare = last_batch == LastBatch::keep ? known_batch - 1 : 0;
  return (known_count + spare) / known_batch;
}

PositionRange BatchPlan::whole_known_range(const std::uint64_t step) const {
  const std::uint64_t epoch = step / steps_per_epoch();
  const std::uint64_t place = step % steps_per_epoch() * known_batch;
  const std::size_t count = std::min<std::uint64_t>(known_batch, known_count - place);
  return {epoch * known_count + place, count};
}

PositionRange BatchPlan::known_range(const std::uint64_t step, const int own) const {
  return Shard{shard.index + own, shard.count}.of(whole_known_range(step));
}

PositionRange BatchPlan::background_range(const std::uint64_t step, const int own) const {
  return Shard{shard.index + own, shard.count}.of({step * background_batch, background_batch});
}

namespace {

/// Room for the largest shard of a batch.
std::size_t largest_shard(const BatchPlan& plan, const std::size_t batch) {
  const auto parts = static_cast<std::size_t>(plan.shard.count);
  return (batch + parts - 1) / parts;
}

}  // namespace

template <class Exec, class T>
BatchSource<Exec, T>::BatchSource(const Exec& exec, Loader<Exec, T> known, std::optional<Loader<Exec, T>> background,
                                  const BatchPlan& plan)
    : plan_(plan), known_(std::move(known)), background_(std::move(background)) {
  plan_.require_valid();
  require<ShapeError>(known_.count() == plan_.known_count, "BatchSource",
                      std::to_string(plan_.known_count) + " known images", std::to_string(known_.count()));
  require<IoError>(!background_ || background_->extents() == known_.extents(), "BatchSource",
                   "background samples of " + shape_text(known_.extents()) + ", the size of the known ones",
                   background_ ? shape_text(background_->extents()) : "");
  const std::size_t known_rows = largest_shard(plan_, plan_.known_batch);
  const std::size_t background_rows = background_ ? largest_shard(plan_, plan_.background_batch) : 0;
  for (int held = 0; held < plan_.held_at_once; ++held) {
    inputs_.push_back(known_.make_batch(known_rows + background_rows));
    known_labels_.emplace_back("bcr::train::known_labels", known_rows);
  }
  exec.fence("bcr::train::BatchSource: ready");
}

template <class Exec, class T>
StepBatch<Exec, T> BatchSource<Exec, T>::load(const Exec& exec, const std::uint64_t step, const int own) {
  require<ShapeError>(own >= 0 && own < plan_.own_shards, "BatchSource::load",
                      "one of " + std::to_string(plan_.own_shards) + " own shards", std::to_string(own));
  const PositionRange known = plan_.known_range(step, own);
  const PositionRange background = background_ ? plan_.background_range(step, own) : PositionRange{};
  const PositionRange whole = plan_.whole_known_range(step);
  const bool last = own + 1 == plan_.own_shards;  // then comes the next step
  const std::uint64_t next_step = last ? step + 1 : step;
  const int next_own = last ? 0 : own + 1;
  const auto held = static_cast<std::size_t>(plan_.held_at_once == 1 ? 0 : own);
  StepBatch<Exec, T> batch;
  batch.epoch = static_cast<std::uint32_t>(step / plan_.steps_per_epoch());
  batch.place = {.known_first = known.first - whole.first,
                 .background_first = background_ ? background.first - step * plan_.background_batch : 0,
                 .known_of_batch = whole.count,
                 .background_of_batch = background_ ? plan_.background_batch : 0};
  batch.rows = known.count + background.count;
  batch.inputs.set(known_.input_name(), slice(inputs_[held], 0, batch.rows));
  batch.known = slice(inputs_[held], 0, known.count);
  batch.labels = Labels<Exec>(known_labels_[held].data(), known.count);
  batch.inputs.set("labels", nn::Tokens<Exec>(batch.labels.data(), known.count, 1));
  known_.load(exec, {.range = known, .next = plan_.known_range(next_step, next_own), .group = whole}, batch.known,
              batch.labels);
  if (background_) {
    batch.background = slice(inputs_[held], known.count, background.count);
    background_->load(exec,
                      {.range = background,
                       .next = plan_.background_range(next_step, next_own),
                       .group = {step * plan_.background_batch, plan_.background_batch}},
                      batch.background, {});
  }
  return batch;
}

template <class Exec, class T>
std::uint64_t BatchSource<Exec, T>::tokens(const std::uint64_t step) const {
  return known_.tokens(plan_.whole_known_range(step)) +
         (background_ ? background_->tokens({step * plan_.background_batch, plan_.background_batch}) : 0);
}

template <class Exec, class T>
std::uint64_t BatchSource<Exec, T>::samples_fetched() const {
  return known_.samples_fetched() + (background_ ? background_->samples_fetched() : 0);
}

template <class Exec, class T>
double BatchSource<Exec, T>::seconds_waited() const {
  return known_.seconds_waited() + (background_ ? background_->seconds_waited() : 0.0);
}

#define BCR_INSTANCE(Exec, T) template class BatchSource<Exec, T>;
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::train
