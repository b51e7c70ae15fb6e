#include "src/train/batches/image_feed.hpp"

#include "io/pipeline/scratch_pixels.hpp"
#include "src/core/instances.hpp"
#include "src/core/launch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace bcr::train {

namespace {

/// The pieces of a feed in scratch files, addressed by one row number.
class StreamedPixels {
 public:
  StreamedPixels(const ImagePieces& pieces, const std::filesystem::path& directory) {
    for (const ImagePieces::Piece& piece : pieces.pieces()) {
      scratch_.push_back(std::make_unique<io::ScratchPixels>(*piece.file, piece.selection.rows, directory));
      ends_.push_back((ends_.empty() ? 0 : ends_.back()) + piece.selection.rows.size());
    }
  }

  /// Images at a range of positions, packed. All are announced before the first is touched, so that the system fetches
  /// them from the disk side by side.
  void gather(const kernels::BatchOrder& order, const PositionRange range, std::uint8_t* dst) const {
    std::vector<Place> places;
    for (std::size_t i = 0; i < range.count; ++i) places.push_back(find(order(range.first + i).row));
    for (const Place& place : places) place.scratch->announce(place.row);
    for (const Place& place : places) {
      std::memcpy(dst, place.scratch->image(place.row), place.scratch->image_bytes());
      dst += place.scratch->image_bytes();
    }
  }

 private:
  struct Place {
    const io::ScratchPixels* scratch;
    std::size_t row;
  };

  Place find(const std::size_t row) const {
    const auto piece = static_cast<std::size_t>(std::upper_bound(ends_.begin(), ends_.end(), row) - ends_.begin());
    return {scratch_[piece].get(), row - (piece == 0 ? 0 : ends_[piece - 1])};
  }

  std::vector<std::unique_ptr<io::ScratchPixels>> scratch_;
  std::vector<std::size_t> ends_;
};

/// Memory that the host fills and the device copies from without a detour.
template <class Exec>
using StagingSpace = std::conditional_t<is_host_exec<Exec>, Kokkos::HostSpace, Kokkos::SharedHostPinnedSpace>;

template <class Exec>
using PixelView = Kokkos::View<std::uint8_t****, Kokkos::LayoutRight, typename Exec::memory_space>;
template <class Exec>
using StagingView = Kokkos::View<std::uint8_t****, Kokkos::LayoutRight, StagingSpace<Exec>>;

template <class Exec>
PixelView<Exec> load_all(const ImagePieces& pieces) {
  const auto& [height, width, channels] = pieces.extents();
  const PixelView<Exec> pixels(Kokkos::view_alloc(Kokkos::WithoutInitializing, "bcr::train::pixels"), pieces.count(),
                               height, width, channels);
  const auto mirror = Kokkos::create_mirror_view(pixels);
  pieces.read(std::span<std::uint8_t>(mirror.data(), mirror.size()));
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
  Residence residence = Residence::device;
  std::size_t largest_batch = 0;
  std::array<std::size_t, 3> extents{};
  Labels<Exec> labels;
  PixelView<Exec> pixels;  // the whole set, or the batch in use

  std::unique_ptr<StreamedPixels> streamed;
  std::array<StagingView<Exec>, 2> staging;
  std::size_t current = 0;  // the buffer that is filled or was filled last
  PositionRange ahead;
  double seconds_waited = 0;
  std::unique_ptr<GatherThread> thread;  // last: it writes to the others

  void stream_from(const ImagePieces& pieces, const std::filesystem::path& scratch) {
    const auto& [height, width, channels] = extents;
    streamed = std::make_unique<StreamedPixels>(pieces, scratch);
    for (auto& buffer : staging) {
      buffer = StagingView<Exec>("bcr::train::staging", largest_batch, height, width, channels);
    }
    if constexpr (!is_host_exec<Exec>) {
      pixels = PixelView<Exec>("bcr::train::pixels", largest_batch, height, width, channels);
    }
    thread = std::make_unique<GatherThread>(
        [this](const PositionRange range, std::uint8_t* const dst) { streamed->gather(plan.order, range, dst); });
  }

  /// The images of a range, packed from the first row on, where the device can read them.
  ConstTensor4<std::uint8_t, Exec> stage(const Exec& exec, const PositionRange range) {
    exec.fence("bcr::train::ImageFeed: the buffers are free");
    const Kokkos::Timer timer;
    if (ahead != range) thread->start(range, staging[current].data());
    ahead = {};  // nothing is ready if the gathering fails: the next call starts afresh
    thread->wait();
    ahead = range;
    seconds_waited += timer.seconds();
    if constexpr (is_host_exec<Exec>) {
      return staging[current];
    } else {
      Kokkos::deep_copy(exec, pixels, staging[current]);
      return pixels;
    }
  }

  void gather_ahead(const PositionRange next) {
    current = 1 - current;
    ahead = next;
    if (next.count > 0) thread->start(next, staging[current].data());
  }
};

template <class Exec, class T>
ImageFeed<Exec, T>::ImageFeed(const Exec& exec, const ImagePieces& pieces, const FeedPlan<T>& plan,
                              const Residence residence, const std::size_t largest_batch,
                              const std::filesystem::path& scratch)
    : state_(std::make_unique<State>(plan)) {
  require<ShapeError>(pieces.count() > 0 && plan.order.size == pieces.count(), "ImageFeed",
                      "an order of all images, at least one",
                      std::to_string(plan.order.size) + " of " + std::to_string(pieces.count()));
  state_->residence = residence;
  state_->largest_batch = largest_batch;
  state_->extents = pieces.extents();
  state_->labels = load_labels<Exec>(pieces);
  if (residence == Residence::device) {
    state_->pixels = load_all<Exec>(pieces);
  } else {
    state_->stream_from(pieces, scratch);
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
  state_->pixels = pixels;
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
  const bool resident = s.residence == Residence::device;
  const ConstTensor4<std::uint8_t, Exec> src = resident ? s.pixels : s.stage(exec, range);
  kernels::augment<Exec, T>(exec, src, s.labels, s.plan.order, range.first,
                            resident ? kernels::Placement::by_row : kernels::Placement::in_place, s.plan.augmentation,
                            s.plan.normalisation, dst, labels);
  if (!resident) s.gather_ahead(next);
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
double ImageFeed<Exec, T>::seconds_waited() const {
  return state_->seconds_waited;
}

#define BCR_INSTANCE(Exec, T) template class ImageFeed<Exec, T>;
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::train
