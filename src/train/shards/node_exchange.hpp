#ifndef BCR_SRC_TRAIN_SHARDS_NODE_EXCHANGE_HPP
#define BCR_SRC_TRAIN_SHARDS_NODE_EXCHANGE_HPP

#include "src/comm/communicator.hpp"
#include "src/core/views.hpp"

#include <memory>

namespace bcr::train {

/// Adds an array over all ranks, element by element, by the tree of neighbours over ranks: with the nodes that ranks
/// made of their own shards (ShardSums) this is the tree over all shards. The result replaces the array on every rank;
/// its bits do not depend on which rank adds what.
///
/// Short arrays go to everybody, who adds for himself: one round of messages. Of long ones, rank k receives and adds
/// piece k and sends the sum to all: two rounds, in which each rank moves twice its array. The memory of Exec must be
/// one that messages may lie in.
template <class Exec, class T>
class NodeExchange {
 public:
  /// For arrays of up to `most` elements. `ranks` must outlive this.
  NodeExchange(comm::Communicator& ranks, std::size_t most);

  /// Begins; waits for the work of exec first. The array must stay untouched until the exchange is done.
  void start(const Exec& exec, const Vector<T, Exec>& array);
  /// Does what can be done without waiting for a message. True when nothing is left.
  bool progress(const Exec& exec);
  /// Until it is done.
  void finish(const Exec& exec);

 private:
  enum class Stage { idle, collecting_all, collecting_piece, sharing };

  bool is_short(const std::size_t size) const { return size * sizeof(T) <= short_bytes; }
  std::size_t piece_of(const std::size_t size) const;
  comm::Pieces pieces() const;
  void add_received(const Exec& exec, const Vector<T, Exec>& own, std::size_t length);
  void advance(const Exec& exec);

  static constexpr std::size_t short_bytes = 1 << 15;

  comm::Communicator& ranks_;
  Vector<T, Exec> received_;  ///< [ranks, length of a piece]
  Vector<T, Exec> array_;
  Stage stage_ = Stage::idle;
  int channel_ = 0;
  std::unique_ptr<comm::Transfer> transfer_;
};

}  // namespace bcr::train

#endif
