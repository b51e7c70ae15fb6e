#include "src/comm/start.hpp"

#include "src/core/error.hpp"

#include <mpi.h>
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <set>

namespace bcr::comm {
namespace {

void check(const int code, const char* const call) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(code, text, &length);
  throw BackendError(call, "success", std::string(text, static_cast<std::size_t>(length)));
}

/// One message is at most this long; longer pieces are cut (MPI counts with int).
constexpr std::size_t longest_message = std::size_t{1} << 30;

/// Point-to-point messages to and from every other rank. Not MPI's collectives: those cannot say whom they wait for.
class MpiTransfer final : public Transfer {
 public:
  void receive(const std::span<std::byte> bytes, const int rank, const int tag) {
    for (std::size_t at = 0; at < bytes.size(); at += longest_message) {
      add(rank);
      check(MPI_Irecv(bytes.data() + at, length(bytes.size() - at), MPI_BYTE, rank, tag, MPI_COMM_WORLD,
                      &requests_.back()),
            "MPI_Irecv");
    }
  }

  void send(const std::span<const std::byte> bytes, const int rank, const int tag) {
    for (std::size_t at = 0; at < bytes.size(); at += longest_message) {
      add(rank);
      check(MPI_Isend(bytes.data() + at, length(bytes.size() - at), MPI_BYTE, rank, tag, MPI_COMM_WORLD,
                      &requests_.back()),
            "MPI_Isend");
    }
  }

  bool done() override {
    int all = 0;
    check(MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &all, MPI_STATUSES_IGNORE), "MPI_Testall");
    return all != 0;
  }

  std::vector<int> missing_ranks() const override {
    std::set<int> missing;
    for (std::size_t i = 0; i < requests_.size(); ++i) {
      int complete = 0;
      MPI_Request_get_status(requests_[i], &complete, MPI_STATUS_IGNORE);
      if (complete == 0) missing.insert(ranks_[i]);
    }
    return {missing.begin(), missing.end()};
  }

 private:
  static int length(const std::size_t bytes) { return static_cast<int>(std::min(bytes, longest_message)); }
  void add(const int rank) {
    requests_.push_back(MPI_REQUEST_NULL);
    ranks_.push_back(rank);
  }

  std::vector<MPI_Request> requests_;
  std::vector<int> ranks_;
};

/// Whether MPI says that it takes pointers to device memory.
MessageMemory find_message_memory() {
#if defined(MPIX_CUDA_AWARE_SUPPORT)
  if (MPIX_Query_cuda_support() == 1) return MessageMemory::any;
#endif
#if defined(MPIX_ROCM_AWARE_SUPPORT)
  if (MPIX_Query_rocm_support() == 1) return MessageMemory::any;
#endif
  // Cray MPICH and Intel MPI have no such question; their own switch answers it.
  for (const char* const variable : {"MPICH_GPU_SUPPORT_ENABLED", "I_MPI_OFFLOAD"})
    if (const char* const value = std::getenv(variable); value != nullptr && *value == '1') return MessageMemory::any;
  return MessageMemory::host;
}

class MpiCommunicator final : public Communicator {
 public:
  MpiCommunicator() {
    int provided = 0;
    check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided), "MPI_Init_thread");
    require<BackendError>(provided >= MPI_THREAD_FUNNELED, "MPI_Init_thread",
                          "support for threads besides the main one", "none");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    check(MPI_Comm_rank(MPI_COMM_WORLD, &rank_), "MPI_Comm_rank");
    check(MPI_Comm_size(MPI_COMM_WORLD, &size_), "MPI_Comm_size");
    memory_ = find_message_memory();
  }

  ~MpiCommunicator() override { MPI_Finalize(); }

  int rank() const noexcept override { return rank_; }
  int size() const noexcept override { return size_; }
  std::string description() const override {
    return fmt::format("{}, {} rank{}{}", mpi_library(), size_, size_ == 1 ? "" : "s",
                       memory_ == MessageMemory::any ? ", messages from device memory" : "");
  }
  MessageMemory message_memory() const override { return memory_; }

  std::unique_ptr<Transfer> exchange(const Pieces& send, std::byte* const receive, const int tag) override {
    auto transfer = std::make_unique<MpiTransfer>();
    const std::size_t own = send.of(rank_).size();
    each_other([&](const int other) {
      transfer->receive({receive + static_cast<std::size_t>(other) * send.piece, own}, other, tag);
    });
    each_other([&](const int other) { transfer->send(send.of(other), other, tag); });
    return transfer;
  }

  std::unique_ptr<Transfer> share(const Pieces& pieces, const int tag) override {
    auto transfer = std::make_unique<MpiTransfer>();
    each_other([&](const int other) { transfer->receive(pieces.of(other), other, tag); });
    each_other([&](const int other) { transfer->send(pieces.of(rank_), other, tag); });
    return transfer;
  }

 private:
  void end_others(const int exit_code) override { MPI_Abort(MPI_COMM_WORLD, exit_code); }

  /// The others, beginning with the next one, so that not all talk to rank 0 first.
  template <class Do>
  void each_other(const Do& act) const {
    for (int step = 1; step < size_; ++step) act((rank_ + step) % size_);
  }

  int rank_ = 0;
  int size_ = 1;
  MessageMemory memory_ = MessageMemory::host;
};

}  // namespace

std::string mpi_library() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  MPI_Get_library_version(text, &length);
  const std::string whole(text, static_cast<std::size_t>(length));
  std::string line = whole.substr(0, whole.find_first_of(",\n"));  // "Open MPI v4.1.4", "MPICH Version: 4.0.2"
  if (const std::size_t word = line.find(" Version:"); word != std::string::npos) line.erase(word, 9);
  std::replace(line.begin(), line.end(), '\t', ' ');
  line.erase(std::unique(line.begin(), line.end(), [](const char a, const char b) { return a == ' ' && b == ' '; }),
             line.end());
  return line;
}

std::unique_ptr<Communicator> start_mpi() {
  return std::make_unique<MpiCommunicator>();
}

}  // namespace bcr::comm
