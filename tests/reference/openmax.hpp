#ifndef BCR_TESTS_REFERENCE_OPENMAX_HPP
#define BCR_TESTS_REFERENCE_OPENMAX_HPP

#include <cmath>
#include <functional>
#include <vector>

namespace bcr::reference {

/// Openmax probabilities of one row of logits, "unknown" last; outlier_weight(c) is the Weibull probability of class c.
inline std::vector<double> openmax(const std::vector<double>& v, const int alpha,
                                   const std::function<double(int)>& outlier_weight) {
  const int classes = static_cast<int>(v.size());
  std::vector<double> e(v.size() + 1);
  double unknown = 0;
  double total = 0;
  for (int c = 0; c < classes; ++c) {
    int rank = 1;
    for (int other = 0; other < classes; ++other) rank += v[other] > v[c] || (v[other] == v[c] && other < c) ? 1 : 0;
    const double omega = rank <= alpha ? static_cast<double>(alpha + 1 - rank) / alpha : 0.0;
    const double share = omega * outlier_weight(c);
    e[c] = std::exp(v[c] * (1 - share));
    unknown += v[c] * share;
    total += e[c];
  }
  e[classes] = std::exp(unknown);
  total += e[classes];
  for (double& value : e) value /= total;
  return e;
}

}  // namespace bcr::reference

#endif
