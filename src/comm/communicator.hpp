#ifndef BCR_SRC_COMM_COMMUNICATOR_HPP
#define BCR_SRC_COMM_COMMUNICATOR_HPP

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace bcr::comm {

/// Where the bytes of a message may lie. `any`: device memory too (MPI is GPU-aware, or there is one rank).
enum class MessageMemory { host, any };

/// In which order transfers of different channels must begin.
enum class TransferOrder { free, same_on_all_ranks };

/// A message to every rank, cut into pieces of `piece` bytes: piece k belongs to rank k, the last ones may be shorter
/// or empty.
struct Pieces {
  std::byte* data = nullptr;
  std::size_t size = 0;   ///< of all pieces
  std::size_t piece = 0;  ///< piece * ranks >= size

  std::size_t begin(const int rank) const { return std::min(size, piece * static_cast<std::size_t>(rank)); }
  std::span<std::byte> of(const int rank) const { return {data + begin(rank), begin(rank + 1) - begin(rank)}; }
};

/// Messages under way. The memory they were given must stay untouched until done() is true or wait() has returned.
class Transfer {
 public:
  virtual ~Transfer() = default;
  /// Moves things on and says whether all messages have been sent and received. Never blocks.
  virtual bool done() = 0;
  /// The ranks whose messages are missing, ascending: one that hangs, and those that it keeps waiting.
  virtual std::vector<int> missing_ranks() const = 0;
};

/// The ranks of a job, as seen by one of them. All ranks must make the same calls in the same order (for transfers, see
/// new_channel). Called by one thread at a time. A rank that waits longer than the time limit ends the job with one
/// message that names the rank it waits for. Bytes are moved here; in which order numbers are added is decided
/// elsewhere (src/train/shards).
class Communicator {
 public:
  virtual ~Communicator() = default;
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  virtual int rank() const noexcept = 0;
  virtual int size() const noexcept = 0;
  bool is_root() const noexcept { return rank() == 0; }
  /// What carries the messages, for logs: "Open MPI 4.1.4, 4 ranks".
  virtual std::string description() const = 0;
  virtual MessageMemory message_memory() const = 0;
  virtual TransferOrder transfer_order() const { return TransferOrder::free; }

  /// Transfers of different channels may begin and end in any order, unless transfer_order() says otherwise. Within
  /// one, all ranks begin them in the same order. Ranks must ask for channels in the same order.
  int new_channel() noexcept { return channel_ = (channel_ + 1) % 30000; }

  /// Piece k of `send` goes to rank k, and rank k's piece for this rank arrives at receive + k piece, where `piece` is
  /// that of `send`. The own piece is not copied.
  virtual std::unique_ptr<Transfer> exchange(const Pieces& send, std::byte* receive, int channel) = 0;
  /// Every rank's own piece goes to all the others.
  virtual std::unique_ptr<Transfer> share(const Pieces& pieces, int channel) = 0;

  /// Ends all processes of the job, as soon as possible; the exit code of the job is this one.
  [[noreturn]] void abort(int exit_code);

  /// Until a transfer is done, or the job is ended for want of a rank. 0 seconds: no limit.
  void wait(Transfer& transfer);
  void set_time_limit(std::chrono::duration<double> limit) { time_limit_ = limit; }

  /// How long a rank keeps silent about a failure that others may have met too: the lowest speaks first and ends the
  /// job.
  std::chrono::duration<double> turn_to_speak() const;

  /// Returns when every rank has called it.
  void barrier();
  /// The bytes of rank 0 to everybody.
  void broadcast(std::span<std::byte> bytes);
  /// The bytes of every rank, by rank, at all ranks. Lengths may differ.
  std::vector<std::vector<std::byte>> gather(std::span<const std::byte> bytes);

  /// The same for values and lists of one plain type.
  template <class T>
  void broadcast(T& value) requires std::is_trivially_copyable_v<T> {
    broadcast(std::as_writable_bytes(std::span<T>(&value, 1)));
  }
  template <class T>
  std::vector<T> gather_values(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::vector<T> values;
    for (const std::vector<std::byte>& bytes : gather(std::as_bytes(std::span<const T>(&value, 1))))
      append_values(bytes, values);
    return values;
  }
  /// The lists of all ranks, one after the other.
  template <class T>
  std::vector<T> gather_lists(const std::vector<T>& list) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::vector<T> values;
    for (const std::vector<std::byte>& bytes : gather(std::as_bytes(std::span<const T>(list))))
      append_values(bytes, values);
    return values;
  }

 protected:
  Communicator() = default;

 private:
  virtual void end_others(int exit_code) = 0;
  [[noreturn]] void give_up(std::span<const int> missing);

  template <class T>
  static void append_values(const std::vector<std::byte>& bytes, std::vector<T>& values) {
    const T* const first = reinterpret_cast<const T*>(bytes.data());
    const std::size_t count = bytes.size() / sizeof(T);
    values.insert(values.end(), first, first + count);
  }

  std::chrono::duration<double> time_limit_{0};
  int channel_ = 0;
};

/// One rank: nobody to talk to.
class SerialCommunicator final : public Communicator {
 public:
  int rank() const noexcept override { return 0; }
  int size() const noexcept override { return 1; }
  std::string description() const override { return "one rank"; }
  MessageMemory message_memory() const override { return MessageMemory::any; }
  std::unique_ptr<Transfer> exchange(const Pieces& send, std::byte* receive, int channel) override;
  std::unique_ptr<Transfer> share(const Pieces& pieces, int channel) override;

 private:
  void end_others(int) override {}
};

}  // namespace bcr::comm

#endif
