#ifndef BCR_SRC_TRAIN_BATCHES_LOADER_HPP
#define BCR_SRC_TRAIN_BATCHES_LOADER_HPP

#include "kernels/augment/augment.hpp"
#include "src/nn/tensors.hpp"
#include "src/train/batches/dataset.hpp"
#include "src/train/batches/gather_thread.hpp"

#include <filesystem>
#include <memory>

namespace bcr::train {

/// Room in device memory, given back when the last copy is gone; null: there is none.
using DeviceRoom = std::shared_ptr<const void>;

/// Device memory that all samples of a run may take together. Sets ask for it in the order in which they are made
/// ready.
class DeviceBudget : public std::enable_shared_from_this<DeviceBudget> {
 public:
  explicit DeviceBudget(const std::uint64_t mebibytes) : left_(mebibytes << 20) {}

  DeviceRoom take(const std::uint64_t bytes) {
    if (bytes > left_) return nullptr;
    left_ -= bytes;
    return {this, [budget = shared_from_this(), bytes](const void*) { budget->left_ += bytes; }};
  }

 private:
  std::uint64_t left_;
};

/// Where the samples of a loader wait for their turn.
enum class Residence { device, streamed };

/// How a loader draws: in which order, and what it does to an image. (What it does to a document is
/// Dataset::text_rows.)
template <class T>
struct LoaderPlan {
  kernels::BatchOrder order;
  kernels::Augmentation augmentation{};
  kernels::Normalisation<T> normalisation{};
};

/// What a batch or a part of one is filled with.
struct LoadRequest {
  PositionRange range;    ///< the samples
  PositionRange next{};   ///< those that will likely be asked for after these
  PositionRange group{};  ///< the whole batch that these are part of; empty: they are all of it
};

/// Batches of one dataset, drawn by position. What stands at a position is decided by the plan alone: the residence,
/// the size of batches and the order of calls change nothing but the time it takes.
///
/// Streamed, images lie in a scratch file that is mapped into memory (io::ScratchPixels). While a batch is in use, a
/// thread fetches the next one: for a host, which reads the mapping itself, it waits for the disk; for a device it also
/// gathers the images in the other of two buffers. Texts are small and always in device memory.
template <class Exec, class T>
class Loader {
 public:
  /// `largest_batch` is the most that load is asked for. `ranks` read the set together, so that each of them has it.
  Loader(const Exec& exec, const Dataset& dataset, const LoaderPlan<T>& plan, Residence residence,
         std::size_t largest_batch, const std::filesystem::path& scratch, comm::Communicator& ranks);
  /// Of images [N, H, W, C] that lie in device memory already, with their labels [N].
  Loader(const Exec& exec, Tensor4<std::uint8_t, Exec> pixels, Labels<Exec> labels, const LoaderPlan<T>& plan,
         std::size_t largest_batch);
  ~Loader();
  Loader(Loader&&) noexcept;

  /// Fills dst, a tensor of make_batch, and labels [count] (or empty) with the samples of a range. Asynchronous on
  /// exec; a device that streams first waits for exec's earlier work.
  void load(const Exec& exec, const LoadRequest& request, const nn::Tensor<Exec, T>& dst, Labels<Exec> labels);

  /// Memory for `samples` samples: [samples, H, W, C], or tokens [samples, steps].
  nn::Tensor<Exec, T> make_batch(std::size_t samples) const;
  /// What a batch is called among the inputs of a network: "images" or "tokens".
  std::string_view input_name() const;

  /// Keeps this room as long as the samples are there.
  void hold(DeviceRoom room);

  std::size_t count() const;
  /// Tokens of the documents at these positions that load reads, without padding; none of images.
  std::uint64_t tokens(PositionRange range) const;
  Residence residence() const;
  /// Height, width and channels; {1, steps, 1} of texts.
  const std::array<std::size_t, 3>& extents() const;
  /// Images that were fetched from the scratch file; none if the set lies in device memory.
  std::uint64_t samples_fetched() const;
  /// Time that load has spent waiting for images to be fetched.
  double seconds_waited() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Samples [first, first + count) of a batch, as a tensor of their own.
template <class Exec, class T>
nn::Tensor<Exec, T> slice(const nn::Tensor<Exec, T>& batch, const std::size_t first, const std::size_t count) {
  if (batch.element() == nn::Element::token) {
    const nn::Tokens<Exec> tokens = batch.tokens();
    return nn::Tokens<Exec>(tokens.data() + first * tokens.extent(1), count, tokens.extent(1));
  }
  const Tensor4<T, Exec> images = batch.images();
  const std::size_t image = images.extent(1) * images.extent(2) * images.extent(3);
  return Tensor4<T, Exec>(images.data() + first * image, count, images.extent(1), images.extent(2), images.extent(3));
}

}  // namespace bcr::train

#endif
