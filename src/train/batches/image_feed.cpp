#include "src/train/batches/image_feed.hpp"

#include "io/pipeline/scratch_pixels.hpp"
#include "src/core/instances.hpp"
#include "src/core/launch.hpp"
#include "src/train/batches/shared_reading.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <vector>

namespace bcr::train {

namespace {

std::unique_ptr<io::ScratchPixels> to_scratch(const ImagePieces& pieces, const std::filesystem::path& directory,
                                              comm::Communicator& ranks) {
  return std::make_unique<io::ScratchPixels>(
      pieces.count(), pieces.image_bytes(), directory,
      [&](const TakePixels& write) { read_together(pieces, ranks, write); });
}

/// Memory that the host fills and the device copies from without a detour.
template <class Exec>
using StagingSpace = std::conditional_t<is_host_exec<Exec>, Kokkos::HostSpace, Kokkos::SharedHostPinnedSpace>;

template <class Exec>
using PixelView = Kokkos::View<std::uint8_t****, Kokkos::LayoutRight, typename Exec::memory_space>;
template <class Exec>
using StagingView = Kokkos::View<std::uint8_t****, Kokkos::LayoutRight, StagingSpace<Exec>>;

template <class Exec>
PixelView<Exec> load_all(const ImagePieces& pieces, comm::Communicator& ranks) {
  const auto& [height, width, channels] = pieces.extents();
  const PixelView<Exec> pixels(Kokkos::view_alloc(Kokkos::WithoutInitializing, "bcr::train::pixels"), pieces.count(),
                               height, width, channels);
  const auto mirror = Kokkos::create_mirror_view(pixels);
  read_together(pieces, ranks, [&](const std::size_t first, const std::span<const std::uint8_t> taken) {
    std::memcpy(mirror.data() + first * pieces.image_bytes(), taken.data(), taken.size());
  });
  Kokkos::deep_copy(pixels, mirror);
  return pixels;
}

template <class Exec>
Labels<Exec> load_labels(const ImagePieces& pieces) {
  const std::vector<std::int32_t> labels = pieces.labels();
  const Labels<Exec> view("bcr::train::labels", labels.size());
  const auto mirror = Kokkos::create_mirror_view(view);
  std::copy(labels.begin(), labels.end(), mirror.data());
  Kokkos::deep_copy(view, mirror);
  return view;
}

}  // namespace

template <class Exec, class T>
struct ImageFeed<Exec, T>::State {
  explicit State(const FeedPlan<T>& given) : plan(given) {}

  FeedPlan<T> plan;
  ImageRoom room;
  Residence residence = Residence::device;
  std::size_t largest_batch = 0;
  std::array<std::size_t, 3> extents{};
  Labels<Exec> labels;
  ConstTensor4<std::uint8_t, Exec> images;  // the whole set, where Exec can read it; empty if a device streams

  std::unique_ptr<io::ScratchPixels> scratch;
  std::array<StagingView<Exec>, 2> staging;
  PixelView<Exec> staged;   // the batch in use
  std::size_t current = 0;  // the buffer that is filled or was filled last
  PositionRange ahead;
  double seconds_waited = 0;
  std::uint64_t images_fetched = 0;
  std::unique_ptr<GatherThread> thread;  // last: it writes to the others

  /// Hosts read the scratch file itself: their thread only sees to it that images are in memory. What devices need is
  /// gathered in one of two buffers.
  void stream_from(const ImagePieces& pieces, const std::filesystem::path& directory, comm::Communicator& ranks) {
    const auto& [height, width, channels] = extents;
    scratch = to_scratch(pieces, directory, ranks);
    if constexpr (is_host_exec<Exec>) {
      images = ConstTensor4<std::uint8_t, Exec>(scratch->image(0), pieces.count(), height, width, channels);
    } else {
      for (auto& buffer : staging) {
        buffer = StagingView<Exec>("bcr::train::staging", largest_batch, height, width, channels);
      }
      staged = PixelView<Exec>("bcr::train::pixels", largest_batch, height, width, channels);
    }
    thread = std::make_unique<GatherThread>(
        [this](const PositionRange range, std::uint8_t* const dst) { fetch(range, dst); });
  }

  /// Images at a range of positions into memory, and packed to dst if there is one. All are announced before the first
  /// is touched, so that the system fetches them from the disk side by side.
  void fetch(const PositionRange range, std::uint8_t* dst) const {
    std::vector<std::uint32_t> rows;
    for (std::size_t i = 0; i < range.count; ++i) rows.push_back(plan.order(range.first + i).row);
    for (const std::uint32_t row : rows) scratch->announce(row);
    for (const std::uint32_t row : rows) {
      if (dst == nullptr) {
        scratch->await(row);
      } else {
        std::memcpy(dst, scratch->image(row), scratch->image_bytes());
        dst += scratch->image_bytes();
      }
    }
  }

  void start_fetching(const PositionRange range) {
    images_fetched += range.count;
    thread->start(range, staging[current].data());
  }

  /// Returns when the images of a range are fetched.
  void wait_for(const Exec& exec, const PositionRange range) {
    if constexpr (!is_host_exec<Exec>) exec.fence("bcr::train::ImageFeed: the buffers are free");
    const Kokkos::Timer timer;
    if (ahead != range) start_fetching(range);
    ahead = {};  // nothing is ready if the fetching fails: the next call starts afresh
    thread->wait();
    ahead = range;
    seconds_waited += timer.seconds();
  }

  void fetch_ahead(const PositionRange next) {
    current = 1 - current;
    ahead = next;
    if (next.count > 0) start_fetching(next);
  }
};

template <class Exec, class T>
ImageFeed<Exec, T>::ImageFeed(const Exec& exec, const ImagePieces& pieces, const FeedPlan<T>& plan,
                              const Residence residence, const std::size_t largest_batch,
                              const std::filesystem::path& scratch, comm::Communicator& ranks)
    : state_(std::make_unique<State>(plan)) {
  require<ShapeError>(pieces.count() > 0 && plan.order.size == pieces.count(), "ImageFeed",
                      "an order of all images, at least one",
                      std::to_string(plan.order.size) + " of " + std::to_string(pieces.count()));
  state_->residence = residence;
  state_->largest_batch = largest_batch;
  state_->extents = pieces.extents();
  state_->labels = load_labels<Exec>(pieces);
  if (residence == Residence::device) {
    state_->images = load_all<Exec>(pieces, ranks);
  } else {
    state_->stream_from(pieces, scratch, ranks);
  }
  exec.fence("bcr::train::ImageFeed: ready");
}

template <class Exec, class T>
ImageFeed<Exec, T>::ImageFeed(const Exec& exec, const Tensor4<std::uint8_t, Exec> pixels, const Labels<Exec> labels,
                              const FeedPlan<T>& plan, const std::size_t largest_batch)
    : state_(std::make_unique<State>(plan)) {
  require<ShapeError>(plan.order.size == pixels.extent(0) && labels.extent(0) == pixels.extent(0), "ImageFeed",
                      "an order and labels of all images",
                      fmt::format("{} and {} of {}", plan.order.size, labels.extent(0), pixels.extent(0)));
  state_->largest_batch = largest_batch;
  state_->extents = {pixels.extent(1), pixels.extent(2), pixels.extent(3)};
  state_->images = pixels;
  state_->labels = labels;
  exec.fence("bcr::train::ImageFeed: ready");
}

template <class Exec, class T>
ImageFeed<Exec, T>::~ImageFeed() = default;
template <class Exec, class T>
ImageFeed<Exec, T>::ImageFeed(ImageFeed&&) noexcept = default;

template <class Exec, class T>
void ImageFeed<Exec, T>::load(const Exec& exec, const PositionRange range, const PositionRange next,
                              const Tensor4<T, Exec> dst, const Labels<Exec> labels) {
  State& s = *state_;
  require_shape("ImageFeed::load", "dst", dst, {range.count, s.extents[0], s.extents[1], s.extents[2]});
  require<ShapeError>(std::max(range.count, next.count) <= s.largest_batch, "ImageFeed::load",
                      "at most " + std::to_string(s.largest_batch) + " images", std::to_string(range.count));
  if (range.count == 0) return;
  const bool streamed = s.residence == Residence::streamed;
  const bool whole = s.images.size() > 0;
  if (streamed) s.wait_for(exec, range);
  if (!whole) Kokkos::deep_copy(exec, s.staged, s.staging[s.current]);
  kernels::augment<Exec, T>(exec, whole ? s.images : s.staged, s.labels, s.plan.order, range.first,
                            whole ? kernels::Placement::by_row : kernels::Placement::in_place, s.plan.augmentation,
                            s.plan.normalisation, dst, labels);
  if (streamed) s.fetch_ahead(next);
}

template <class Exec, class T>
void ImageFeed<Exec, T>::hold(ImageRoom room) {
  state_->room = std::move(room);
}

template <class Exec, class T>
std::size_t ImageFeed<Exec, T>::count() const {
  return state_->plan.order.size;
}

template <class Exec, class T>
Residence ImageFeed<Exec, T>::residence() const {
  return state_->residence;
}

template <class Exec, class T>
const std::array<std::size_t, 3>& ImageFeed<Exec, T>::extents() const {
  return state_->extents;
}

template <class Exec, class T>
std::uint64_t ImageFeed<Exec, T>::images_fetched() const {
  return state_->images_fetched;
}

template <class Exec, class T>
double ImageFeed<Exec, T>::seconds_waited() const {
  return state_->seconds_waited;
}

#define BCR_INSTANCE(Exec, T) template class ImageFeed<Exec, T>;
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::train
