#include "src/train/work_rate.hpp"

#include "kernels/roof/peak_rate.hpp"
#include "src/core/instances.hpp"

namespace bcr::train {

template <class Exec, class T>
double measure_fma_peak(const Exec& exec, comm::Communicator& ranks) {
  constexpr double enough_seconds = 0.02;  // some hundred samples, of which the best counts
  kernels::PeakRate<Exec, T, kernels::PeakOperation::fma> peak(exec);
  const Kokkos::Timer timer;
  do peak.sample();
  while (timer.seconds() < enough_seconds);
  double sum = 0;
  for (const double rate : ranks.gather_values(peak.best())) sum += rate;
  return sum;
}

#define BCR_INSTANCE(Exec, T) template double measure_fma_peak<Exec, T>(const Exec&, comm::Communicator&);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::train
