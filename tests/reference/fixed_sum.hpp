#ifndef BCR_TESTS_REFERENCE_FIXED_SUM_HPP
#define BCR_TESTS_REFERENCE_FIXED_SUM_HPP

#include <algorithm>
#include <cstddef>
#include <vector>

namespace bcr::reference {

/// The tree of neighbours written as what it is: pairs are added until one is left; an odd one out moves up unchanged.
inline double neighbour_tree(std::vector<double> sums) {
  if (sums.empty()) return 0;
  while (sums.size() > 1) {
    std::vector<double> above;
    for (std::size_t i = 0; i + 1 < sums.size(); i += 2) above.push_back(sums[i] + sums[i + 1]);
    if (sums.size() % 2 == 1) above.push_back(sums.back());
    sums = above;
  }
  return sums[0];
}

/// The documented order: chunks of 1024, 32 lanes a chunk, lanes halved onto each other, chunks by the tree.
/// accumulate(i, sum) adds term i to sum.
template <class Accumulate>
double fixed_sum(const int length, const Accumulate& accumulate) {
  std::vector<double> chunks;
  for (int begin = 0; begin < length; begin += 1024) {
    std::vector<double> lanes(32, 0.0);
    for (int i = begin; i < std::min(begin + 1024, length); ++i)
      lanes[(i - begin) % 32] = accumulate(i, lanes[(i - begin) % 32]);
    for (int width = 16; width > 0; width /= 2)
      for (int l = 0; l < width; ++l) lanes[l] += lanes[l + width];
    chunks.push_back(lanes[0]);
  }
  return neighbour_tree(chunks);
}

}  // namespace bcr::reference

#endif
