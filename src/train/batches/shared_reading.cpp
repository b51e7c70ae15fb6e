#include "src/train/batches/shared_reading.hpp"

#include <algorithm>
#include <vector>

namespace bcr::train {
namespace {

constexpr std::size_t bytes_of_round = std::size_t{32} << 20;  ///< of all ranks together

/// The chunks of a set, dealt out to ranks in runs of neighbours that each rank reads in several rounds.
class ChunkDeal {
 public:
  struct Images {
    std::size_t first;
    std::size_t count;
  };

  ChunkDeal(const ImagePieces& pieces, const int ranks)
      : bounds_(pieces.chunk_bounds()), ranks_(static_cast<std::size_t>(ranks)) {
    const std::size_t chunk_bytes = io::images_per_chunk * std::max<std::size_t>(pieces.image_bytes(), 1);
    per_round_ = std::max<std::size_t>(bytes_of_round / (chunk_bytes * ranks_), 1);
  }

  std::size_t rounds() const {
    const std::size_t most = (chunks() + ranks_ - 1) / ranks_;
    return (most + per_round_ - 1) / per_round_;
  }

  Images of(const int rank, const std::size_t round) const {
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

void read_together(const ImagePieces& pieces, comm::Communicator& ranks, const TakePixels& take) {
  const ChunkDeal deal(pieces, ranks.size());
  std::vector<std::uint8_t> own;
  for (std::size_t round = 0; round < deal.rounds(); ++round) {
    const auto [first, count] = deal.of(ranks.rank(), round);
    own.resize(count * pieces.image_bytes());
    pieces.part(first, count).read(own);
    if (ranks.size() == 1) {
      take(first, own);
      continue;
    }
    const auto all = ranks.gather(std::as_bytes(std::span(own)));
    for (int rank = 0; rank < ranks.size(); ++rank) {
      const std::vector<std::byte>& pixels = all[static_cast<std::size_t>(rank)];
      if (pixels.empty()) continue;
      take(deal.of(rank, round).first, {reinterpret_cast<const std::uint8_t*>(pixels.data()), pixels.size()});
    }
  }
}

}  // namespace bcr::train
