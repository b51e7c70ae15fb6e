#ifndef BCR_SRC_SCALE_POINT_SAMPLE_SUMMARY_HPP
#define BCR_SRC_SCALE_POINT_SAMPLE_SUMMARY_HPP

#include <cstddef>
#include <vector>

namespace bcr::scale {

/// What repeated measurements say. Times are skewed and have outliers, so the middle is the median, and its confidence
/// interval lies between two order statistics: x_(k) and x_(n+1-k) enclose the true median with probability
/// 1 - 2 P(Bin(n, 1/2) < k), whatever the distribution of independent measurements. k is the largest for which that is
/// at least 95 %; below six measurements there is none, the interval is the whole range, and `coverage` says what that
/// is worth.
struct SampleSummary {
  std::size_t count = 0;
  double median = 0;
  double low = 0;
  double high = 0;
  double coverage = 0;
  double mean = 0;
  double deviation = 0;  ///< of a single measurement, with n - 1; 0 for one
  double least = 0;
  double most = 0;
};

/// Values must be finite; none gives a summary of zeros.
SampleSummary summarise(std::vector<double> values);

/// The probability above, for 1 <= k <= (n + 1) / 2.
double median_interval_coverage(std::size_t count, std::size_t k);

}  // namespace bcr::scale

#endif
