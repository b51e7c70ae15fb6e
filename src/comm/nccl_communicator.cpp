#include "src/comm/nccl_names.hpp"
#include "src/comm/start.hpp"
#include "src/core/error.hpp"

#include <fmt/format.h>

namespace bcr::comm {
namespace {

void check(const ncclResult_t result, const char* const call) {
  if (result != ncclSuccess) throw BackendError(call, "success", ncclGetErrorString(result));
}

void check(const gpu::Status status, const char* const call) {
  if (status != gpu::success) throw BackendError(call, "success", gpu::text(status));
}

/// All messages of a transfer are one group of a stream; an event behind them tells when they are through.
class NcclTransfer final : public Transfer {
 public:
  explicit NcclTransfer(const gpu::Stream stream, const int next_rank) : next_rank_(next_rank) {
    check(gpu::create(&event_), "create an event");
    check(gpu::record(event_, stream), "record an event");
  }
  ~NcclTransfer() override { gpu::destroy(event_); }

  bool done() override {
    const gpu::Status status = gpu::query(event_);
    if (status != gpu::not_ready) check(status, "query an event");
    done_ = status == gpu::success;
    return done_;
  }
  /// NCCL does not say whom it waits for; the next rank is as good as any.
  std::vector<int> missing_ranks() const override { return done_ ? std::vector<int>{} : std::vector<int>{next_rank_}; }

 private:
  gpu::Event event_{};
  int next_rank_;
  bool done_ = false;
};

class NcclCommunicator final : public Communicator {
 public:
  explicit NcclCommunicator(Communicator& host) : host_(host) {
    ncclUniqueId id{};
    if (host.is_root()) check(ncclGetUniqueId(&id), "ncclGetUniqueId");
    host.broadcast(id);
    check(ncclCommInitRank(&ranks_, host.size(), id, host.rank()), "ncclCommInitRank");
    check(gpu::create(&stream_), "create a stream");
  }
  ~NcclCommunicator() override {
    gpu::destroy(stream_);
    ncclCommDestroy(ranks_);
  }

  int rank() const noexcept override { return host_.rank(); }
  int size() const noexcept override { return host_.size(); }
  std::string description() const override {
    int version = 0;
    ncclGetVersion(&version);
    return fmt::format("{}, between devices by NCCL {}", host_.description(), version);
  }
  MessageMemory message_memory() const override { return MessageMemory::any; }
  TransferOrder transfer_order() const override { return TransferOrder::same_on_all_ranks; }

  std::unique_ptr<Transfer> exchange(const Pieces& send, std::byte* const receive, const int channel) override {
    if (!gpu::is_device(send.data)) return host_.exchange(send, receive, channel);
    const std::size_t own = send.of(rank()).size();
    return in_group([&](const int other) {
      post_receive({receive + static_cast<std::size_t>(other) * send.piece, own}, other);
      post_send(send.of(other), other);
    });
  }

  std::unique_ptr<Transfer> share(const Pieces& pieces, const int channel) override {
    if (!gpu::is_device(pieces.data)) return host_.share(pieces, channel);
    return in_group([&](const int other) {
      post_receive(pieces.of(other), other);
      post_send(pieces.of(rank()), other);
    });
  }

 private:
  void end_others(const int exit_code) override { host_.abort(exit_code); }

  void post_receive(const std::span<std::byte> bytes, const int from) {
    if (!bytes.empty()) check(ncclRecv(bytes.data(), bytes.size(), ncclInt8, from, ranks_, stream_), "ncclRecv");
  }
  void post_send(const std::span<const std::byte> bytes, const int to) {
    if (!bytes.empty()) check(ncclSend(bytes.data(), bytes.size(), ncclInt8, to, ranks_, stream_), "ncclSend");
  }

  template <class Post>
  std::unique_ptr<Transfer> in_group(const Post& post) {
    check(ncclGroupStart(), "ncclGroupStart");
    for (int step = 1; step < size(); ++step) post((rank() + step) % size());
    check(ncclGroupEnd(), "ncclGroupEnd");
    return std::make_unique<NcclTransfer>(stream_, (rank() + 1) % size());
  }

  Communicator& host_;
  ncclComm_t ranks_{};
  gpu::Stream stream_{};
};

}  // namespace

std::unique_ptr<Communicator> start_nccl(Communicator& host) {
  return std::make_unique<NcclCommunicator>(host);
}

}  // namespace bcr::comm
