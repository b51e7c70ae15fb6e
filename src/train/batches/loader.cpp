#include "src/train/batches/loader.hpp"

#include "io/pipeline/scratch_pixels.hpp"
#include "kernels/augment/pad_tokens.hpp"
#include "src/core/instances.hpp"
#include "src/core/launch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <vector>

namespace bcr::train {

namespace {

std::unique_ptr<io::ScratchPixels> to_scratch(const Dataset& dataset, const std::filesystem::path& directory,
                                              comm::Communicator& ranks) {
  return std::make_unique<io::ScratchPixels>(dataset.count(), dataset.image_bytes(), directory,
                                             [&](const TakeSamples& write) { read_together(dataset, ranks, write); });
}

/// Memory that the host fills and the device copies from without a detour.
template <class Exec>
using StagingSpace = std::conditional_t<is_host_exec<Exec>, Kokkos::HostSpace, Kokkos::SharedHostPinnedSpace>;

template <class Exec>
using PixelView = Kokkos::View<std::uint8_t****, Kokkos::LayoutRight, typename Exec::memory_space>;
template <class Exec>
using StagingView = Kokkos::View<std::uint8_t****, Kokkos::LayoutRight, StagingSpace<Exec>>;

template <class Exec>
PixelView<Exec> load_all(const Dataset& dataset, comm::Communicator& ranks) {
  const auto& [height, width, channels] = dataset.extents();
  const PixelView<Exec> pixels(Kokkos::view_alloc(Kokkos::WithoutInitializing, "bcr::train::pixels"), dataset.count(),
                               height, width, channels);
  const auto mirror = Kokkos::create_mirror_view(pixels);
  read_together(dataset, ranks, [&](const std::size_t first, const std::span<const std::uint8_t> taken) {
    std::memcpy(mirror.data() + first * dataset.image_bytes(), taken.data(), taken.size());
  });
  Kokkos::deep_copy(pixels, mirror);
  return pixels;
}

/// A list of numbers in device memory.
template <class Exec, class T>
Vector<T, Exec> to_device(const std::string& label, const std::vector<T>& list) {
  const Vector<T, Exec> view(Kokkos::view_alloc(Kokkos::WithoutInitializing, label), list.size());
  const auto mirror = Kokkos::create_mirror_view(view);
  std::copy(list.begin(), list.end(), mirror.data());
  Kokkos::deep_copy(view, mirror);
  return view;
}

template <class Exec>
Vector<std::int32_t, Exec> load_tokens(const Dataset& dataset, comm::Communicator& ranks) {
  std::vector<std::int32_t> tokens(dataset.token_offsets().back());
  read_together(dataset, ranks, [&](const std::size_t first, const std::span<const std::uint8_t> taken) {
    std::memcpy(tokens.data() + dataset.token_offsets()[first], taken.data(), taken.size());
  });
  return to_device<Exec>("bcr::train::tokens", tokens);
}

}  // namespace

template <class Exec, class T>
struct Loader<Exec, T>::State {
  explicit State(const LoaderPlan<T>& given) : plan(given) {}

  LoaderPlan<T> plan;
  DeviceRoom room;
  Residence residence = Residence::device;
  std::size_t largest_batch = 0;
  std::array<std::size_t, 3> extents{};
  Labels<Exec> labels;
  ConstTensor4<std::uint8_t, Exec> images;  // the whole set, where Exec can read it; empty if a device streams

  TextRows text;
  Vector<std::int32_t, Exec> tokens;        // of all documents; empty of images
  Vector<std::uint64_t, Exec> offsets;      // where they begin
  std::vector<std::uint64_t> host_offsets;  // the same on the host, which knows who is longest

  std::unique_ptr<io::ScratchPixels> scratch;
  std::array<StagingView<Exec>, 2> staging;
  PixelView<Exec> staged;   // the batch in use
  std::size_t current = 0;  // the buffer that is filled or was filled last
  PositionRange ahead;
  double seconds_waited = 0;
  std::uint64_t samples_fetched = 0;
  std::unique_ptr<GatherThread> thread;  // last: it writes to the others

  /// Hosts read the scratch file itself: their thread only sees to it that images are in memory. What devices need is
  /// gathered in one of two buffers.
  void stream_from(const Dataset& dataset, const std::filesystem::path& directory, comm::Communicator& ranks) {
    const auto& [height, width, channels] = extents;
    scratch = to_scratch(dataset, directory, ranks);
    if constexpr (is_host_exec<Exec>) {
      images = ConstTensor4<std::uint8_t, Exec>(scratch->image(0), dataset.count(), height, width, channels);
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
    samples_fetched += range.count;
    thread->start(range, staging[current].data());
  }

  /// Returns when the images of a range are fetched.
  void wait_for(const Exec& exec, const PositionRange range) {
    if constexpr (!is_host_exec<Exec>) exec.fence("bcr::train::Loader: the buffers are free");
    const Kokkos::Timer timer;
    if (ahead != range) start_fetching(range);
    ahead = {};  // nothing is ready if the fetching fails: the next call starts afresh
    thread->wait();
    ahead = range;
    seconds_waited += timer.seconds();
  }

  /// Of a document, at most as many tokens as a row may have.
  std::uint64_t tokens_read(const std::uint32_t row) const {
    return std::min<std::uint64_t>(host_offsets[row + 1] - host_offsets[row], text.most);
  }

  /// The steps of the rows of a group, if they do not follow from each document alone.
  int width_of(const PositionRange group) const {
    std::uint64_t longest = 0;
    for (std::size_t i = 0; text.width == TextRows::Width::of_longest && i < group.count; ++i) {
      const std::uint32_t row = plan.order(group.first + i).row;
      longest = std::max(longest, tokens_read(row));
    }
    return std::max(text.least, static_cast<int>(longest));
  }

  void load_texts(const Exec& exec, const LoadRequest& request, const nn::Tokens<Exec>& dst,
                  const Labels<Exec>& dst_labels) const {
    require_shape("Loader::load", "dst", dst, {request.range.count, static_cast<std::size_t>(text.steps)});
    const PositionRange group = request.group.count > 0 ? request.group : request.range;
    kernels::pad_tokens<Exec>(exec, tokens, offsets, labels, plan.order, request.range.first,
                              {.token = io::padding, .most = text.most, .width = width_of(group)}, dst, dst_labels);
  }

  void load_images(const Exec& exec, const LoadRequest& request, const Tensor4<T, Exec>& dst,
                   const Labels<Exec>& dst_labels) {
    require_shape("Loader::load", "dst", dst, {request.range.count, extents[0], extents[1], extents[2]});
    const bool streamed = residence == Residence::streamed;
    const bool whole = images.size() > 0;
    if (streamed) wait_for(exec, request.range);
    if (!whole) Kokkos::deep_copy(exec, staged, staging[current]);
    kernels::augment<Exec, T>(exec, whole ? images : staged, labels, plan.order, request.range.first,
                              whole ? kernels::Placement::by_row : kernels::Placement::in_place, plan.augmentation,
                              plan.normalisation, dst, dst_labels);
    if (streamed) fetch_ahead(request.next);
  }

  void fetch_ahead(const PositionRange next) {
    current = 1 - current;
    ahead = next;
    if (next.count > 0) start_fetching(next);
  }
};

template <class Exec, class T>
Loader<Exec, T>::Loader(const Exec& exec, const Dataset& dataset, const LoaderPlan<T>& plan, const Residence residence,
                        const std::size_t largest_batch, const std::filesystem::path& scratch,
                        comm::Communicator& ranks)
    : state_(std::make_unique<State>(plan)) {
  require<ShapeError>(dataset.count() > 0 && plan.order.size == dataset.count(), "Loader",
                      "an order of all images, at least one",
                      std::to_string(plan.order.size) + " of " + std::to_string(dataset.count()));
  state_->residence = residence;
  state_->largest_batch = largest_batch;
  state_->extents = dataset.extents();
  state_->labels = to_device<Exec>("bcr::train::labels", dataset.labels());
  if (dataset.holds_texts()) {
    state_->residence = Residence::device;
    state_->text = dataset.text_rows();
    state_->tokens = load_tokens<Exec>(dataset, ranks);
    state_->host_offsets = dataset.token_offsets();
    state_->offsets = to_device<Exec>("bcr::train::offsets", state_->host_offsets);
  } else if (residence == Residence::device) {
    state_->images = load_all<Exec>(dataset, ranks);
  } else {
    state_->stream_from(dataset, scratch, ranks);
  }
  exec.fence("bcr::train::Loader: ready");
}

template <class Exec, class T>
Loader<Exec, T>::Loader(const Exec& exec, const Tensor4<std::uint8_t, Exec> pixels, const Labels<Exec> labels,
                        const LoaderPlan<T>& plan, const std::size_t largest_batch)
    : state_(std::make_unique<State>(plan)) {
  require<ShapeError>(plan.order.size == pixels.extent(0) && labels.extent(0) == pixels.extent(0), "Loader",
                      "an order and labels of all images",
                      fmt::format("{} and {} of {}", plan.order.size, labels.extent(0), pixels.extent(0)));
  state_->largest_batch = largest_batch;
  state_->extents = {pixels.extent(1), pixels.extent(2), pixels.extent(3)};
  state_->images = pixels;
  state_->labels = labels;
  exec.fence("bcr::train::Loader: ready");
}

template <class Exec, class T>
Loader<Exec, T>::~Loader() = default;
template <class Exec, class T>
Loader<Exec, T>::Loader(Loader&&) noexcept = default;

template <class Exec, class T>
void Loader<Exec, T>::load(const Exec& exec, const LoadRequest& request, const nn::Tensor<Exec, T>& dst,
                           const Labels<Exec> labels) {
  State& s = *state_;
  require<ShapeError>(std::max(request.range.count, request.next.count) <= s.largest_batch, "Loader::load",
                      "at most " + std::to_string(s.largest_batch) + " samples", std::to_string(request.range.count));
  if (request.range.count == 0) return;
  if (s.offsets.size() > 0) {
    s.load_texts(exec, request, dst.tokens(), labels);
  } else {
    s.load_images(exec, request, dst.images(), labels);
  }
}

template <class Exec, class T>
nn::Tensor<Exec, T> Loader<Exec, T>::make_batch(const std::size_t samples) const {
  const auto [height, width, channels] = state_->extents;
  if (state_->offsets.size() > 0) return nn::Tokens<Exec>("bcr::train::batch", samples, width);
  return Tensor4<T, Exec>("bcr::train::batch", samples, height, width, channels);
}

template <class Exec, class T>
std::string_view Loader<Exec, T>::input_name() const {
  return state_->offsets.size() > 0 ? "tokens" : "images";
}

template <class Exec, class T>
void Loader<Exec, T>::hold(DeviceRoom room) {
  state_->room = std::move(room);
}

template <class Exec, class T>
std::size_t Loader<Exec, T>::count() const {
  return state_->plan.order.size;
}

template <class Exec, class T>
std::uint64_t Loader<Exec, T>::tokens(const PositionRange range) const {
  std::uint64_t sum = 0;
  if (state_->host_offsets.empty()) return sum;
  for (std::size_t i = 0; i < range.count; ++i) sum += state_->tokens_read(state_->plan.order(range.first + i).row);
  return sum;
}

template <class Exec, class T>
Residence Loader<Exec, T>::residence() const {
  return state_->residence;
}

template <class Exec, class T>
const std::array<std::size_t, 3>& Loader<Exec, T>::extents() const {
  return state_->extents;
}

template <class Exec, class T>
std::uint64_t Loader<Exec, T>::samples_fetched() const {
  return state_->samples_fetched;
}

template <class Exec, class T>
double Loader<Exec, T>::seconds_waited() const {
  return state_->seconds_waited;
}

#define BCR_INSTANCE(Exec, T) template class Loader<Exec, T>;
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::train
