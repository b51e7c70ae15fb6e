#ifndef BCR_SRC_TRAIN_WORK_RATE_HPP
#define BCR_SRC_TRAIN_WORK_RATE_HPP

#include "src/comm/communicator.hpp"

namespace bcr::train {

/// Images per second as floating-point operations per second, and as a share of what the threads of all ranks can do.
/// A training image costs three times the multiply-adds of a forward pass, as convolutions are written, whichever
/// algorithm computes them; each is two operations. The peak is that of a loop of independent fma.
class WorkRate {
 public:
  /// `multiply_accumulates` of a forward pass of one image; `peak` in fma per second.
  WorkRate(double multiply_accumulates, double peak) : of_image_(3 * multiply_accumulates), peak_(peak) {}

  double gigaflop_per_second(const double images_per_second) const { return 2e-9 * of_image_ * images_per_second; }
  double share_of_peak(const double images_per_second) const { return of_image_ * images_per_second / peak_; }
  double peak_gigaflop_per_second() const { return 2e-9 * peak_; }

 private:
  double of_image_;
  double peak_;
};

/// Fused multiply-adds per second of all ranks together, at best. Takes about 20 ms and touches nothing else.
template <class Exec, class T>
double measure_fma_peak(const Exec& exec, comm::Communicator& ranks);

}  // namespace bcr::train

#endif
