#include "src/train/shards/node_exchange.hpp"

#include "src/core/instances.hpp"
#include "src/train/shards/shard_sums.hpp"

#include <algorithm>

namespace bcr::train {

template <class Exec, class T>
NodeExchange<Exec, T>::NodeExchange(comm::Communicator& ranks, const std::size_t most) : ranks_(ranks) {
  if (ranks.size() == 1) return;
  const std::size_t longest_short = std::min(most, short_bytes / sizeof(T));
  const std::size_t row = std::max(longest_short, piece_of(most));
  received_ = Vector<T, Exec>("bcr::train::received", row * static_cast<std::size_t>(ranks.size()));
}

template <class Exec, class T>
std::size_t NodeExchange<Exec, T>::piece_of(const std::size_t size) const {
  const auto ranks = static_cast<std::size_t>(ranks_.size());
  return (size + ranks - 1) / ranks;
}

template <class Exec, class T>
comm::Pieces NodeExchange<Exec, T>::pieces() const {
  return {reinterpret_cast<std::byte*>(array_.data()), array_.size() * sizeof(T), piece_of(array_.size()) * sizeof(T)};
}

template <class Exec, class T>
void NodeExchange<Exec, T>::start(const Exec& exec, const Vector<T, Exec>& array) {
  if (ranks_.size() == 1 || array.size() == 0) return;
  require<ShapeError>(stage_ == Stage::idle, "NodeExchange::start", "nothing under way", "an exchange");
  array_ = array;
  channel_ = ranks_.new_channel();
  auto* const received = reinterpret_cast<std::byte*>(received_.data());
  if (is_short(array.size())) {
    const Vector<T, Exec> own(received_.data() + array.size() * static_cast<std::size_t>(ranks_.rank()), array.size());
    Kokkos::deep_copy(exec, own, array);
    exec.fence("bcr::train::NodeExchange: the array is ready");
    const std::size_t bytes = array.size() * sizeof(T);
    transfer_ = ranks_.share({received, bytes * static_cast<std::size_t>(ranks_.size()), bytes}, channel_);
    stage_ = Stage::collecting_all;
  } else {
    exec.fence("bcr::train::NodeExchange: the array is ready");
    transfer_ = ranks_.exchange(pieces(), received, channel_);
    stage_ = Stage::collecting_piece;
  }
}

template <class Exec, class T>
void NodeExchange<Exec, T>::add_received(const Exec& exec, const Vector<T, Exec>& own, const std::size_t length) {
  const auto ranks = static_cast<std::size_t>(ranks_.size());
  join_rows<Exec, T>(exec, Matrix<T, Exec>(received_.data(), ranks, length));
  Kokkos::deep_copy(exec, own, Vector<T, Exec>(received_.data(), own.size()));
}

template <class Exec, class T>
void NodeExchange<Exec, T>::advance(const Exec& exec) {
  transfer_.reset();
  if (stage_ == Stage::sharing) {
    stage_ = Stage::idle;
  } else if (stage_ == Stage::collecting_all) {
    add_received(exec, array_, array_.size());
    stage_ = Stage::idle;
  } else {
    const std::size_t piece = piece_of(array_.size());
    const auto rank = static_cast<std::size_t>(ranks_.rank());
    const std::size_t begin = std::min(piece * rank, array_.size());
    const Vector<T, Exec> own(array_.data() + begin, std::min(piece, array_.size() - begin));
    Kokkos::deep_copy(exec, Vector<T, Exec>(received_.data() + piece * rank, own.size()), own);
    add_received(exec, own, piece);
    exec.fence("bcr::train::NodeExchange: the piece is added");
    transfer_ = ranks_.share(pieces(), channel_);
    stage_ = Stage::sharing;
  }
}

template <class Exec, class T>
bool NodeExchange<Exec, T>::progress(const Exec& exec) {
  // When a message is complete differs from rank to rank, and so would the order of what is begun here.
  if (ranks_.transfer_order() == comm::TransferOrder::same_on_all_ranks) return stage_ == Stage::idle;
  while (stage_ != Stage::idle && transfer_->done()) advance(exec);
  return stage_ == Stage::idle;
}

template <class Exec, class T>
void NodeExchange<Exec, T>::finish(const Exec& exec) {
  while (stage_ != Stage::idle) {
    ranks_.wait(*transfer_);
    advance(exec);
  }
}

#define BCR_INSTANCE(Exec, T) template class NodeExchange<Exec, T>;
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::train
