#include "src/train/batches/dataset.hpp"

#include "io/pipeline/selected_pixels.hpp"
#include "src/core/error.hpp"
#include "src/core/views.hpp"

#include <algorithm>
#include <cstring>

namespace bcr::train {

namespace {

constexpr std::size_t texts_per_chunk = 1024;                  ///< that are read at once
constexpr std::size_t bytes_of_round = std::size_t{32} << 20;  ///< of all ranks together

const io::ImageFile* images_of(const Dataset::Piece& piece) {
  return dynamic_cast<const io::ImageFile*>(piece.file.get());
}

const io::TextFile* texts_of(const Dataset::Piece& piece) {
  return dynamic_cast<const io::TextFile*>(piece.file.get());
}

/// Calls take(document) for the documents at `rows` (ascending), read in runs of neighbours.
template <class Take>
void for_each_document(const io::TextFile& file, const std::vector<std::uint32_t>& rows, const Take& take) {
  std::vector<std::int32_t> tokens;
  for (std::size_t begin = 0; begin < rows.size();) {
    std::size_t end = begin + 1;
    while (end < rows.size() && end - begin < texts_per_chunk && rows[end] == rows[end - 1] + 1) ++end;
    const std::uint64_t first = file.offsets()[rows[begin]];
    tokens.resize(file.offsets()[rows[end - 1] + 1] - first);
    file.read_tokens(rows[begin], end - begin, tokens);
    for (; begin < end; ++begin) {
      const std::uint64_t at = file.offsets()[rows[begin]] - first;
      take(std::span<const std::int32_t>(tokens).subspan(at, file.offsets()[rows[begin] + 1] - first - at));
    }
  }
}

/// The rows of a dataset, in runs of neighbours that ranks are dealt out, and that each reads in several rounds.
class ChunkDeal {
 public:
  struct Samples {
    std::size_t first;
    std::size_t count;
  };

  ChunkDeal(const Dataset& dataset, const int ranks)
      : bounds_(dataset.chunk_bounds()), ranks_(static_cast<std::size_t>(ranks)) {
    const std::size_t chunk_bytes = dataset.bytes() / std::max<std::size_t>(chunks(), 1) + 1;
    per_round_ = std::max<std::size_t>(bytes_of_round / (chunk_bytes * ranks_), 1);
  }

  std::size_t rounds() const {
    const std::size_t most = (chunks() + ranks_ - 1) / ranks_;
    return (most + per_round_ - 1) / per_round_;
  }

  Samples of(const int rank, const std::size_t round) const {
    const std::size_t own_end = begin_of(rank + 1);
    const std::size_t begin = std::min(begin_of(rank) + round * per_round_, own_end);
    const std::size_t end = std::min(begin + per_round_, own_end);
    return {bounds_[begin], bounds_[end] - bounds_[begin]};
  }

 private:
  std::size_t chunks() const { return bounds_.size() - 1; }
  std::size_t begin_of(const int rank) const { return chunks() * static_cast<std::size_t>(rank) / ranks_; }

  std::vector<std::size_t> bounds_;
  std::size_t ranks_;
  std::size_t per_round_;
};

}  // namespace

Dataset::Dataset(std::vector<Piece> pieces) : pieces_(std::move(pieces)) {
  for (const Piece& piece : pieces_) {
    const io::ImageFile* const images = images_of(piece);
    const std::string origin = "samples of " + piece.file->path();
    if ((images_of(pieces_[0]) == nullptr) != (images == nullptr)) {
      throw IoError(
          origin,
          images == nullptr ? "images as in " + pieces_[0].file->path() : "texts as in " + pieces_[0].file->path(),
          images == nullptr ? "texts" : "images");
    }
    count_ += piece.selection.rows.size();
    if (images == nullptr) {
      if (offsets_.empty()) offsets_.push_back(0);
      const std::vector<std::uint64_t>& offsets = texts_of(piece)->offsets();
      for (const std::uint32_t row : piece.selection.rows) {
        offsets_.push_back(offsets_.back() + offsets.at(row + 1) - offsets.at(row));
      }
      continue;
    }
    const io::ImageFileInfo& info = images->info();
    const std::array<std::size_t, 3> extents{info.height, info.width, info.channels};
    if (&piece == pieces_.data()) extents_ = extents;
    if (extents != extents_) {
      throw IoError(origin, "images of " + shape_text(extents_) + " as in " + pieces_[0].file->path(),
                    shape_text(extents));
    }
  }
}

io::Vocabulary Dataset::vocabulary(const std::size_t most) const {
  std::vector<std::string> words;
  std::vector<std::uint64_t> counts;
  for (const Piece& piece : pieces_) {
    // Words of a second file that the first has too are the same words: its tokens count for them.
    const io::Vocabulary& own = texts_of(piece)->vocabulary();
    std::vector<std::int32_t> place = io::token_map(own, io::Vocabulary(words));
    for (std::size_t token = io::first_word; token < place.size(); ++token) {
      if (place[token] != io::unknown_word) continue;
      words.push_back(own.words()[token - io::first_word]);
      place[token] = static_cast<std::int32_t>(words.size()) + io::first_word - 1;
    }
    counts.resize(words.size(), 0);
    for_each_document(*texts_of(piece), piece.selection.rows, [&](const std::span<const std::int32_t> document) {
      for (const std::int32_t token : document) {
        ++counts[static_cast<std::size_t>(place[static_cast<std::size_t>(token)] - io::first_word)];
      }
    });
  }
  return io::most_frequent(words, counts, most);
}

void Dataset::use(const io::Vocabulary& vocabulary, const TextRows& rows) {
  text_rows_ = rows;
  extents_ = {1, static_cast<std::size_t>(rows.steps), 1};
  for (Piece& piece : pieces_) {
    piece.tokens =
        std::make_shared<const std::vector<std::int32_t>>(io::token_map(texts_of(piece)->vocabulary(), vocabulary));
  }
}

std::string Dataset::text(const std::size_t sample, const std::size_t most_words) const {
  std::string text;
  for (const Piece& piece : part(sample, 1).pieces_) {
    for_each_document(*texts_of(piece), piece.selection.rows, [&](const std::span<const std::int32_t> document) {
      for (const std::int32_t token : document.first(std::min(document.size(), most_words))) {
        if (!text.empty()) text += ' ';
        text += texts_of(piece)->vocabulary().text(token);
      }
      if (document.size() > most_words) text += " ...";
    });
  }
  return text;
}

std::vector<std::string> Dataset::file_names() const {
  std::vector<std::string> names;
  for (const Piece& piece : pieces_) {
    const io::ImageFile* const images = images_of(piece);
    const std::vector<std::string> all = images == nullptr ? std::vector<std::string>() : images->read_file_names();
    if (all.empty()) return {};
    for (const std::uint32_t row : piece.selection.rows) names.push_back(all[row]);
  }
  return names;
}

std::vector<std::int32_t> Dataset::labels() const {
  std::vector<std::int32_t> labels;
  std::int32_t first_class = 0;
  for (const Piece& piece : pieces_) {
    for (const std::int32_t label : piece.selection.labels) labels.push_back(first_class + label);
    first_class += static_cast<std::int32_t>(piece.selection.classes.size());
  }
  return labels;
}

Dataset Dataset::part(const std::size_t first, const std::size_t count) const {
  require<ShapeError>(first + count <= count_, "Dataset::part", "samples up to " + std::to_string(count_),
                      std::to_string(first + count));
  std::vector<Piece> pieces;
  std::size_t begin = 0;  // of the piece
  for (const Piece& piece : pieces_) {
    const std::size_t end = begin + piece.selection.rows.size();
    const auto from = static_cast<std::ptrdiff_t>(std::clamp(first, begin, end) - begin);
    const auto to = static_cast<std::ptrdiff_t>(std::clamp(first + count, begin, end) - begin);
    Piece kept{piece.file, {{}, {}, piece.selection.classes}, piece.tokens};
    kept.selection.rows.assign(piece.selection.rows.begin() + from, piece.selection.rows.begin() + to);
    kept.selection.labels.assign(piece.selection.labels.begin() + from, piece.selection.labels.begin() + to);
    pieces.push_back(std::move(kept));  // empty ones too: the classes of later pieces are numbered on from theirs
    begin = end;
  }
  Dataset part(std::move(pieces));
  part.samples_read_ = samples_read_;
  part.extents_ = extents_;
  part.text_rows_ = text_rows_;
  return part;
}

std::vector<std::size_t> Dataset::chunk_bounds() const {
  const std::size_t rows_per_chunk = holds_texts() ? texts_per_chunk : io::images_per_chunk;
  std::vector<std::size_t> bounds{0};
  std::size_t begin = 0;  // of the piece
  for (const Piece& piece : pieces_) {
    const std::vector<std::uint32_t>& rows = piece.selection.rows;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const bool last = i + 1 == rows.size();
      if (last || rows[i] / rows_per_chunk != rows[i + 1] / rows_per_chunk) bounds.push_back(begin + i + 1);
    }
    begin += rows.size();
  }
  return bounds;
}

void Dataset::read(const std::span<std::uint8_t> dst) const {
  require<ShapeError>(dst.size() == bytes(), "Dataset::read", std::to_string(bytes()) + " bytes",
                      std::to_string(dst.size()));
  std::size_t at = 0;
  for (const Piece& piece : pieces_) {
    const std::vector<std::uint32_t>& rows = piece.selection.rows;
    if (const io::ImageFile* const images = images_of(piece)) {
      io::read_selected_pixels(*images, rows, dst.subspan(at, rows.size() * image_bytes()));
      at += rows.size() * image_bytes();
      continue;
    }
    require<ShapeError>(piece.tokens != nullptr, "Dataset::read", "a vocabulary to read texts with", "none");
    for_each_document(*texts_of(piece), rows, [&](const std::span<const std::int32_t> document) {
      for (const std::int32_t token : document) {
        const std::int32_t mapped = (*piece.tokens)[static_cast<std::size_t>(token)];
        std::memcpy(dst.data() + at, &mapped, sizeof mapped);
        at += sizeof mapped;
      }
    });
  }
  *samples_read_ += count_;
}

void read_together(const Dataset& dataset, comm::Communicator& ranks, const TakeSamples& take) {
  const ChunkDeal deal(dataset, ranks.size());
  std::vector<std::uint8_t> own;
  for (std::size_t round = 0; round < deal.rounds(); ++round) {
    const auto [first, count] = deal.of(ranks.rank(), round);
    own.resize(dataset.first_byte(first + count) - dataset.first_byte(first));
    dataset.part(first, count).read(own);
    if (ranks.size() == 1) {
      take(first, own);
      continue;
    }
    const auto all = ranks.gather(std::as_bytes(std::span(own)));
    for (int rank = 0; rank < ranks.size(); ++rank) {
      const std::vector<std::byte>& bytes = all[static_cast<std::size_t>(rank)];
      if (bytes.empty()) continue;
      take(deal.of(rank, round).first, {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
    }
  }
}

}  // namespace bcr::train
