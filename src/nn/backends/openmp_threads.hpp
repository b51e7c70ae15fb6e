#ifndef BCR_SRC_NN_BACKENDS_OPENMP_THREADS_HPP
#define BCR_SRC_NN_BACKENDS_OPENMP_THREADS_HPP

#include <omp.h>

namespace bcr::nn {

/// oneDNN and oneMKL take as many threads as their OpenMP runtime offers: as many as Kokkos has, for as long as this
/// lives.
class ThreadsOf {
 public:
  template <class Exec>
  explicit ThreadsOf(const Exec& exec) : before_(omp_get_max_threads()) {
    omp_set_num_threads(exec.concurrency());
  }
  ~ThreadsOf() { omp_set_num_threads(before_); }
  ThreadsOf(const ThreadsOf&) = delete;
  ThreadsOf& operator=(const ThreadsOf&) = delete;

 private:
  int before_;
};

}  // namespace bcr::nn

#endif
