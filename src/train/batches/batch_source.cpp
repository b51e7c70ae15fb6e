#include "src/train/batches/batch_source.hpp"

#include "src/core/instances.hpp"

#include <algorithm>
#include <string>

namespace bcr::train {

PositionRange Share::of(const PositionRange whole) const {
  const auto parts = static_cast<std::size_t>(count);
  const std::size_t begin = whole.count * static_cast<std::size_t>(index) / parts;
  const std::size_t end = whole.count * static_cast<std::size_t>(index + 1) / parts;
  return {whole.first + begin, end - begin};
}

void BatchPlan::require_valid() const {
  require<ConfigError>(known_count > 0 && known_batch > 0, "batches", "at least one known image and a batch of one",
                       std::to_string(known_count) + " and " + std::to_string(known_batch));
  require<ConfigError>(share.count > 0 && share.index >= 0 && share.index < share.count, "batches",
                       "a share below the number of shares",
                       std::to_string(share.index) + " of " + std::to_string(share.count));
  require<ConfigError>(steps_per_epoch() > 0, "batches", "at least " + std::to_string(known_batch) + " known images",
                       std::to_string(known_count));
}

std::uint64_t BatchPlan::steps_per_epoch() const {
  const std::uint64_t spare = last_batch == LastBatch::keep ? known_batch - 1 : 0;
  return (known_count + spare) / known_batch;
}

PositionRange BatchPlan::known_range(const std::uint64_t step) const {
  const std::uint64_t epoch = step / steps_per_epoch();
  const std::uint64_t place = step % steps_per_epoch() * known_batch;
  const std::size_t count = std::min<std::uint64_t>(known_batch, known_count - place);
  return share.of({epoch * known_count + place, count});
}

PositionRange BatchPlan::background_range(const std::uint64_t step) const {
  return share.of({step * background_batch, background_batch});
}

namespace {

/// Images [first, first + count) of a buffer, as a View of their own.
template <class Exec, class T>
Tensor4<T, Exec> slice(const Tensor4<T, Exec>& images, const std::size_t first, const std::size_t count) {
  const std::size_t image = images.extent(1) * images.extent(2) * images.extent(3);
  return Tensor4<T, Exec>(images.data() + first * image, count, images.extent(1), images.extent(2), images.extent(3));
}

/// Room for the largest share of a batch.
std::size_t largest_share(const BatchPlan& plan, const std::size_t batch) {
  const auto parts = static_cast<std::size_t>(plan.share.count);
  return (batch + parts - 1) / parts;
}

}  // namespace

template <class Exec, class T>
BatchSource<Exec, T>::BatchSource(const Exec& exec, ImageFeed<Exec, T> known,
                                  std::optional<ImageFeed<Exec, T>> background, const BatchPlan& plan)
    : plan_(plan), known_(std::move(known)), background_(std::move(background)) {
  plan_.require_valid();
  require<ShapeError>(known_.count() == plan_.known_count, "BatchSource",
                      std::to_string(plan_.known_count) + " known images", std::to_string(known_.count()));
  require<IoError>(!background_ || background_->extents() == known_.extents(), "BatchSource",
                   "background images of " + shape_text(known_.extents()) + ", the size of the known ones",
                   background_ ? shape_text(background_->extents()) : "");
  const std::size_t known_share = largest_share(plan_, plan_.known_batch);
  const std::size_t background_share = background_ ? largest_share(plan_, plan_.background_batch) : 0;
  const auto [height, width, channels] = known_.extents();
  images_ = Tensor4<T, Exec>("bcr::train::images", known_share + background_share, height, width, channels);
  known_labels_ = Labels<Exec>("bcr::train::known_labels", known_share);
  exec.fence("bcr::train::BatchSource: ready");
}

template <class Exec, class T>
StepBatch<Exec, T> BatchSource<Exec, T>::load(const Exec& exec, const std::uint64_t step) {
  const PositionRange known = plan_.known_range(step);
  const PositionRange background = background_ ? plan_.background_range(step) : PositionRange{};
  StepBatch<Exec, T> batch;
  batch.epoch = static_cast<std::uint32_t>(step / plan_.steps_per_epoch());
  batch.images = slice<Exec, T>(images_, 0, known.count + background.count);
  batch.known = slice<Exec, T>(images_, 0, known.count);
  batch.labels = Labels<Exec>(known_labels_.data(), known.count);
  known_.load(exec, known, plan_.known_range(step + 1), batch.known, batch.labels);
  if (background_) {
    batch.background = slice<Exec, T>(images_, known.count, background.count);
    background_->load(exec, background, plan_.background_range(step + 1), batch.background, {});
  }
  return batch;
}

template <class Exec, class T>
double BatchSource<Exec, T>::seconds_waited() const {
  return known_.seconds_waited() + (background_ ? background_->seconds_waited() : 0.0);
}

#define BCR_INSTANCE(Exec, T) template class BatchSource<Exec, T>;
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::train
