#ifndef BCR_SRC_TRAIN_BATCHES_GATHER_THREAD_HPP
#define BCR_SRC_TRAIN_BATCHES_GATHER_THREAD_HPP

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

namespace bcr::train {

/// Positions [first, first + count) of a BatchOrder.
struct PositionRange {
  std::uint64_t first = 0;
  std::size_t count = 0;

  bool operator==(const PositionRange&) const = default;
};

/// A thread that fetches one range of images at a time while the caller does something else.
class GatherThread {
 public:
  using Fetch = std::function<void(PositionRange range, std::uint8_t* dst)>;

  /// `fetch` is called in the thread.
  explicit GatherThread(Fetch fetch);
  ~GatherThread();
  GatherThread(const GatherThread&) = delete;
  GatherThread& operator=(const GatherThread&) = delete;

  /// Begins to fill dst, when what was begun before is done.
  void start(PositionRange range, std::uint8_t* dst);

  /// Until everything begun is done; throws what the fetching threw.
  void wait();

 private:
  struct Job {
    PositionRange range;
    std::uint8_t* dst;
  };
  enum class State { running, ending };

  void run();

  Fetch fetch_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<Job> job_;
  std::exception_ptr failure_;
  State state_ = State::running;
  std::thread thread_;  // last: it uses all the others
};

}  // namespace bcr::train

#endif
