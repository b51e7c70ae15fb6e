#ifndef BCR_SRC_TRAIN_BATCHES_DATASET_HPP
#define BCR_SRC_TRAIN_BATCHES_DATASET_HPP

#include "io/hdf5/image_file.hpp"
#include "io/hdf5/text_file.hpp"
#include "io/splits/selection.hpp"
#include "src/comm/communicator.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace bcr::train {

/// How documents become rows of a batch (kernels/augment/pad_tokens.hpp): the first `most` tokens at the end of `steps`
/// steps, and before them padding, so that a row has at least `least` steps and, with Width::of_longest, as many as the
/// longest document of its batch.
struct TextRows {
  enum class Width { own, of_longest };

  int steps = 0;
  int most = 0;
  int least = 0;
  Width width = Width::own;
};

/// The samples of one side of a split: chosen classes of one or more data files, one after the other. A sample is some
/// bytes: the pixels of an image, all of one size, or the tokens of a document (32-bit integers), of any length.
class Dataset {
 public:
  struct Piece {
    std::shared_ptr<const io::DataFile> file;
    io::Selection selection;
    std::shared_ptr<const std::vector<std::int32_t>> tokens{};  ///< of texts: token of the run for each of the file's
  };

  Dataset() = default;
  /// Throws an IoError that names the files if one has images and another texts, or images of another size.
  explicit Dataset(std::vector<Piece> pieces);

  const std::vector<Piece>& pieces() const noexcept { return pieces_; }
  std::size_t count() const noexcept { return count_; }
  bool holds_texts() const noexcept { return !offsets_.empty(); }
  std::size_t bytes() const noexcept { return first_byte(count_); }
  /// Where a sample begins; the one behind the last ends the set.
  std::size_t first_byte(const std::size_t sample) const {
    return holds_texts() ? offsets_[sample] * sizeof(std::int32_t) : sample * image_bytes();
  }

  /// Height, width and channels of an image; {1, steps, 1} of texts.
  const std::array<std::size_t, 3>& extents() const noexcept { return extents_; }
  std::size_t image_bytes() const noexcept { return extents_[0] * extents_[1] * extents_[2]; }

  /// Of texts: where documents begin, in tokens, and the number of all.
  const std::vector<std::uint64_t>& token_offsets() const noexcept { return offsets_; }
  /// The `most` most frequent words of these documents.
  io::Vocabulary vocabulary(std::size_t most) const;
  /// From now on read() gives tokens of this vocabulary, for rows like these.
  void use(const io::Vocabulary& vocabulary, const TextRows& rows);
  const TextRows& text_rows() const noexcept { return text_rows_; }
  /// The first words of a document as its file has them, "..." behind them if there are more.
  std::string text(std::size_t sample, std::size_t most_words) const;

  /// Of all samples. Classes of a second piece are numbered on from those of the first.
  std::vector<std::int32_t> labels() const;

  /// The files that the samples were when they were imported; none unless all pieces know them.
  std::vector<std::string> file_names() const;

  /// Samples [first, first + count) of these, as a set of its own: what one rank tests.
  Dataset part(std::size_t first, std::size_t count) const;

  /// Where the samples of another chunk of a data file begin, from 0 to count(): those between two bounds are read at
  /// once.
  std::vector<std::size_t> chunk_bounds() const;

  /// All samples into dst, which holds bytes() bytes.
  void read(std::span<std::uint8_t> dst) const;
  /// Samples that were read so far: of these, and of parts of them.
  std::uint64_t samples_read() const noexcept { return *samples_read_; }

 private:
  std::vector<Piece> pieces_;
  std::size_t count_ = 0;
  std::array<std::size_t, 3> extents_{};
  std::vector<std::uint64_t> offsets_;
  TextRows text_rows_;
  std::shared_ptr<std::uint64_t> samples_read_ = std::make_shared<std::uint64_t>(0);
};

/// Takes the bytes of samples first, first + 1, ... of a set.
using TakeSamples = std::function<void(std::size_t first, std::span<const std::uint8_t> bytes)>;

/// All samples of a set on every rank, though each rank reads only its part of the files: every chunk of the data files
/// is read by one rank, once, and handed to the others. `take` gets every sample once, not in order. All ranks call
/// this with the same set; what is under way at a time is bounded, however large the set is.
void read_together(const Dataset& dataset, comm::Communicator& ranks, const TakeSamples& take);

}  // namespace bcr::train

#endif
