#ifndef BCR_SRC_TRAIN_SHARDS_TREE_JOIN_HPP
#define BCR_SRC_TRAIN_SHARDS_TREE_JOIN_HPP

#include "src/core/launch.hpp"
#include "src/train/shards/node_exchange.hpp"

#include <optional>

namespace bcr::train {

/// NodeExchange for arrays in the memory of any device. Where messages may not lie in device memory, the array travels
/// and is added on the host: the sums are the same bits.
template <class Exec, class T>
class TreeJoin {
 public:
  TreeJoin(comm::Communicator& ranks, const std::size_t most) {
    if (is_host_exec<Exec> || ranks.message_memory() == comm::MessageMemory::any) {
      direct_.emplace(ranks, most);
    } else {
      staged_.emplace(ranks, most);
      host_ = Vector<T, Host>("bcr::train::staged_array", most);
    }
  }

  void start(const Exec& exec, const Vector<T, Exec>& array) {
    if (direct_) return direct_->start(exec, array);
    array_ = array;
    Kokkos::deep_copy(exec, staged(), array);
    exec.fence("bcr::train::TreeJoin: the array is on the host");
    staged_->start(Host(), staged());
  }

  bool progress(const Exec& exec) { return direct_ ? direct_->progress(exec) : staged_->progress(Host()); }

  void finish(const Exec& exec) {
    if (direct_) return direct_->finish(exec);
    staged_->finish(Host());
    Kokkos::deep_copy(exec, array_, staged());
  }

  /// All of it at once.
  void run(const Exec& exec, const Vector<T, Exec>& array) {
    start(exec, array);
    finish(exec);
  }

 private:
  using Host = Kokkos::DefaultHostExecutionSpace;
  Vector<T, Host> staged() const { return Vector<T, Host>(host_.data(), array_.size()); }

  std::optional<NodeExchange<Exec, T>> direct_;
  std::optional<NodeExchange<Host, T>> staged_;
  Vector<T, Host> host_;
  Vector<T, Exec> array_;
};

}  // namespace bcr::train

#endif
