#ifndef BCR_SRC_CORE_ORDERED_WORKERS_HPP
#define BCR_SRC_CORE_ORDERED_WORKERS_HPP

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace bcr {

/// Threads that work ahead of whoever takes their results, which come in the order of the tasks: result i is a function
/// of task i alone, so the number of threads changes nothing but the time. For work that waits for files or decodes
/// them, while the threads of Kokkos compute; a loop over an array is a for_each_task.
template <class Task, class Result>
class OrderedWorkers {
 public:
  /// The next task, nothing at the end. Called by one thread at a time; may wait, for a pipe say.
  using Source = std::function<std::optional<Task>()>;
  using Work = std::function<Result(const Task&)>;

  /// At most `ahead` results wait to be taken or are being worked on.
  OrderedWorkers(Source source, Work work, const std::size_t threads, const std::size_t ahead)
      : source_(std::move(source)), work_(std::move(work)), ahead_(ahead) {
    try {
      for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { run(); });
    } catch (...) {  // the system has no more threads to give
      stop();
      throw;
    }
  }

  /// Waits for the work under way, and for the source if a thread is in it.
  ~OrderedWorkers() { stop(); }
  OrderedWorkers(const OrderedWorkers&) = delete;
  OrderedWorkers& operator=(const OrderedWorkers&) = delete;

  /// The next `most` results (at most `ahead`); fewer at the end of the source, and where the source lets wait for
  /// longer than `patience` and nothing else is under way: nobody waits for a task that may come tomorrow. None: that
  /// was all. Throws what the source or the work threw, in its turn.
  std::vector<Result> take(const std::size_t most) {
    std::unique_lock lock(mutex_);
    const auto is_full = [&] {
      const std::size_t ready = ready_in_front(most);
      return ready == most || (ready == slots_.size() && has_ended_);
    };
    while (!changed_.wait_for(lock, patience, is_full)) {
      const std::size_t ready = ready_in_front(most);
      if (ready > 0 && ready == slots_.size() && in_source_) break;
    }
    std::vector<Result> results;
    while (results.size() < most && !slots_.empty() && slots_.front().done) {
      if (slots_.front().failure && !results.empty()) break;  // in its turn: the next call's
      Slot slot = std::move(slots_.front());
      slots_.pop_front();
      if (slot.failure) std::rethrow_exception(slot.failure);
      results.push_back(std::move(*slot.result));
    }
    lock.unlock();
    changed_.notify_all();
    return results;
  }

 private:
  static constexpr std::chrono::milliseconds patience{20};

  struct Slot {
    bool done = false;
    std::optional<Result> result{};
    std::exception_ptr failure{};
  };

  void stop() {
    {
      const std::lock_guard lock(mutex_);
      stops_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  std::size_t ready_in_front(const std::size_t most) const {
    std::size_t ready = 0;
    while (ready < most && ready < slots_.size() && slots_[ready].done) ++ready;
    return ready;
  }

  /// Asks the source; its slot, or null at the end.
  Slot* begin(std::optional<Task>& task) {
    std::unique_lock turn(source_turn_);
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return stops_ || has_ended_ || slots_.size() < ahead_; });
    if (stops_ || has_ended_) return nullptr;
    in_source_ = true;
    lock.unlock();
    changed_.notify_all();
    std::exception_ptr failure;
    try {
      task = source_();
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    in_source_ = false;
    if (failure) slots_.push_back({true, std::nullopt, failure});
    if (!task) {
      has_ended_ = true;
      changed_.notify_all();
      return nullptr;
    }
    return &slots_.emplace_back();  // a deque: others come and go at its ends, this one stays where it is
  }

  void run() {
    for (;;) {
      std::optional<Task> task;
      Slot* const slot = begin(task);
      if (slot == nullptr) return;
      std::optional<Result> result;
      std::exception_ptr failure;
      try {
        result.emplace(work_(*task));
      } catch (...) {
        failure = std::current_exception();
      }
      const std::lock_guard lock(mutex_);
      slot->result = std::move(result);
      slot->failure = failure;
      slot->done = true;
      changed_.notify_all();
    }
  }

  Source source_;
  Work work_;
  std::size_t ahead_;
  std::mutex source_turn_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Slot> slots_;  ///< of the tasks begun and not yet taken, in order
  bool in_source_ = false;
  bool has_ended_ = false;
  bool stops_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace bcr

#endif
