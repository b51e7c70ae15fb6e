#include "src/scores/isolation_forest.hpp"

#include "kernels/math/exp.hpp"
#include "kernels/math/log.hpp"
#include "src/core/error.hpp"
#include "src/core/host_tasks.hpp"
#include "src/core/random.hpp"

#include <algorithm>
#include <numbers>
#include <numeric>
#include <string>

namespace bcr::scores {
namespace {

using Node = IsolationForest::Node;

/// Rows [first, last) of the order belong to a node at this depth.
struct Pending {
  std::uint32_t node;
  int depth;
  std::size_t first, last;
};

class Grower {
 public:
  Grower(const std::span<const float> rows, const std::size_t d, const std::uint64_t seed, const std::uint32_t tree)
      : rows_(rows), d_(d), seed_(seed), tree_(tree), features_(d) {}

  IsolationForest::Tree grow(const std::size_t psi, const int limit) {
    const Permutation draw(rows_.size() / d_, seed_, Stream("forest/rows"), tree_);
    order_.resize(psi);
    for (std::size_t i = 0; i < psi; ++i) order_[i] = static_cast<std::uint32_t>(draw(i));
    IsolationForest::Tree nodes{{-1, 0, 0, static_cast<std::uint32_t>(psi)}};
    std::vector<Pending> pending{{0, 0, 0, psi}};
    while (!pending.empty()) {
      const Pending here = pending.back();
      pending.pop_back();
      if (here.last - here.first <= 1 || here.depth == limit || !cut(here, nodes[here.node])) continue;
      const Node& node = nodes[here.node];
      const auto middle =
          std::partition(order_.begin() + std::ptrdiff_t(here.first), order_.begin() + std::ptrdiff_t(here.last),
                         [&](const std::uint32_t row) { return value(row, node.feature) <= node.threshold; });
      const auto at = static_cast<std::size_t>(middle - order_.begin());
      const auto left = static_cast<std::uint32_t>(nodes.size());
      nodes[here.node].left = left;
      nodes.push_back({-1, 0, 0, static_cast<std::uint32_t>(at - here.first)});
      nodes.push_back({-1, 0, 0, static_cast<std::uint32_t>(here.last - at)});
      pending.push_back({left + 1, here.depth + 1, at, here.last});
      pending.push_back({left, here.depth + 1, here.first, at});
    }
    return nodes;
  }

 private:
  float value(const std::uint32_t row, const std::int32_t feature) const {
    return rows_[row * d_ + static_cast<std::size_t>(feature)];
  }

  /// Draws features without replacement until one is not constant among the node's rows, then a threshold.
  bool cut(const Pending& here, Node& node) {
    Random random(seed_, Stream("forest/cuts"), tree_, here.node);
    std::iota(features_.begin(), features_.end(), 0);
    for (std::size_t left = d_; left > 0; --left) {
      std::swap(features_[random.below(left)], features_[left - 1]);
      const std::int32_t feature = features_[left - 1];
      float low = value(order_[here.first], feature), high = low;
      for (std::size_t i = here.first + 1; i < here.last; ++i) {
        const float x = value(order_[i], feature);
        low = std::min(low, x);
        high = std::max(high, x);
      }
      if (!(double(high) - double(low) > 1e-7)) continue;
      node.feature = feature;
      node.threshold = static_cast<float>(double(low) + random.uniform<double>() * (double(high) - double(low)));
      if (!(node.threshold < high)) node.threshold = low;
      return true;
    }
    return false;
  }

  std::span<const float> rows_;
  std::size_t d_;
  std::uint64_t seed_;
  std::uint32_t tree_;
  std::vector<std::int32_t> features_;
  std::vector<std::uint32_t> order_;
};

int depth_limit_of(const std::size_t psi) {
  int limit = 1;
  while ((std::size_t{1} << limit) < psi) ++limit;
  return limit;
}

}  // namespace

double mean_search_length(const std::size_t n) {
  if (n <= 1) return 0;
  if (n == 2) return 1;
  const auto keys = static_cast<double>(n);
  return 2 * (kernels::strict::log(keys - 1) + std::numbers::egamma) - 2 * (keys - 1) / keys;
}

IsolationForest::IsolationForest(const std::span<const float> rows, const std::size_t d,
                                 const IsolationForestSettings& settings)
    : d_(d) {
  require<ShapeError>(d > 0 && rows.size() >= d && rows.size() % d == 0, "IsolationForest",
                      "at least one row of " + std::to_string(d), std::to_string(rows.size()) + " numbers");
  const std::size_t N = rows.size() / d;
  psi_ = std::clamp<std::size_t>(static_cast<std::size_t>(settings.samples * double(N)), 1, N);
  limit_ = depth_limit_of(psi_);
  trees_.resize(static_cast<std::size_t>(settings.trees));
  for_each_task("bcr::scores::isolation_forest", trees_.size(), [&](const std::size_t tree) {
    trees_[tree] = Grower(rows, d, settings.seed, static_cast<std::uint32_t>(tree)).grow(psi_, limit_);
  });
  for (std::size_t n = 0; n <= psi_; ++n) leaf_length_.push_back(mean_search_length(n));
}

double IsolationForest::mean_path_length(const float* const query) const {
  double sum = 0;
  for (const Tree& tree : trees_) {
    const Node* node = tree.data();
    int depth = 0;
    for (; node->feature >= 0; ++depth) {
      const bool right = !(query[node->feature] <= node->threshold);
      node = tree.data() + node->left + (right ? 1 : 0);
    }
    sum += depth + leaf_length_[node->rows];
  }
  return sum / static_cast<double>(trees_.size());
}

double IsolationForest::anomaly(const float* const query) const {
  const double usual = leaf_length_[psi_];
  if (usual == 0) return 0.5;
  return kernels::strict::exp(-std::numbers::ln2 * mean_path_length(query) / usual);
}

}  // namespace bcr::scores
