#ifndef BCR_SRC_SCORES_ISOLATION_FOREST_HPP
#define BCR_SRC_SCORES_ISOLATION_FOREST_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bcr::scores {

/// The mean length of an unsuccessful search in a binary tree of n keys: 0, 0, 1 for n = 0, 1, 2, then
/// 2 (ln(n - 1) + gamma) - 2 (n - 1) / n with Euler's gamma.
double mean_search_length(std::size_t n);

struct IsolationForestSettings {
  int trees = 100;
  double samples = 0.9;  ///< share of the rows that a tree is grown from, drawn without replacement
  std::uint64_t seed = 0;
};

/// Isolation forest (Liu, Ting and Zhou, ICDM 2008) as scikit-learn defines it: a node of more than one row, above the
/// depth ceil(log2 psi), is cut at t, uniform between the smallest and the largest value of a feature that is drawn
/// among those not constant there (range above 1e-7); rows with x <= t go to the left. The path of a query ends in a
/// leaf of m rows at depth h and has the length h + mean_search_length(m).
/// Every draw is a function of (seed, tree, node), so the forest does not depend on threads; trees are grown in
/// parallel, and lengths summed in their order.
class IsolationForest {
 public:
  /// rows [N, d], at least one.
  IsolationForest(std::span<const float> rows, std::size_t d, const IsolationForestSettings& settings);

  struct Node {
    std::int32_t feature = -1;  ///< -1: a leaf
    float threshold = 0;
    std::uint32_t left = 0;  ///< the right child follows it
    std::uint32_t rows = 0;
  };
  using Tree = std::vector<Node>;

  const std::vector<Tree>& trees() const noexcept { return trees_; }
  std::size_t rows_per_tree() const noexcept { return psi_; }
  int depth_limit() const noexcept { return limit_; }

  /// Mean over the trees of the length of a query's path.
  double mean_path_length(const float* query) const;
  /// 2^(-mean path length / mean_search_length(psi)), in (0, 1): large for what is easily isolated.
  double anomaly(const float* query) const;

 private:
  std::size_t d_;
  std::size_t psi_;
  int limit_;
  std::vector<Tree> trees_;
  std::vector<double> leaf_length_;  ///< mean_search_length(0 ... psi)
};

}  // namespace bcr::scores

#endif
