#include "src/train/batches/gather_thread.hpp"

#include <utility>

namespace bcr::train {

GatherThread::GatherThread(Fetch fetch) : fetch_(std::move(fetch)), thread_([this] { run(); }) {}

GatherThread::~GatherThread() {
  {
    const std::scoped_lock lock(mutex_);
    state_ = State::ending;
  }
  changed_.notify_all();
  thread_.join();
}

void GatherThread::start(const PositionRange range, std::uint8_t* const dst) {
  wait();
  {
    const std::scoped_lock lock(mutex_);
    job_ = Job{range, dst};
  }
  changed_.notify_all();
}

void GatherThread::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !job_; });
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void GatherThread::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return job_ || state_ == State::ending; });
    if (state_ == State::ending) return;
    const Job job = *job_;
    lock.unlock();
    std::exception_ptr failure;
    try {
      fetch_(job.range, job.dst);
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    failure_ = failure;
    job_.reset();
    changed_.notify_all();
  }
}

}  // namespace bcr::train
