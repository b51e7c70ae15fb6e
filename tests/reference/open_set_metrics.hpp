#ifndef BCR_TESTS_REFERENCE_OPEN_SET_METRICS_HPP
#define BCR_TESTS_REFERENCE_OPEN_SET_METRICS_HPP

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <set>
#include <vector>

// The metrics as their definitions read: loops over all pairs or over all thresholds, nothing shared, nothing sorted
// once. Quadratic and meant to be.
namespace bcr::reference {

using Scores = std::vector<double>;

/// A score above every unknown score wins, a tie is half a win; `counts[i]` says whether known sample i takes part.
inline double mean_wins(const Scores& known, const std::vector<std::uint8_t>& counts, const Scores& unknown) {
  double wins = 0;
  for (std::size_t i = 0; i < known.size(); ++i) {
    for (const double u : unknown) {
      if (counts[i] != 0) wins += known[i] > u ? 1.0 : known[i] == u ? 0.5 : 0.0;
    }
  }
  return wins / (static_cast<double>(known.size()) * static_cast<double>(unknown.size()));
}

inline double auroc(const Scores& known, const Scores& unknown) {
  return mean_wins(known, std::vector<std::uint8_t>(known.size(), 1), unknown);
}

inline Scores negated(Scores scores) {
  for (double& score : scores) score = -score;
  return scores;
}

inline double count_from(const Scores& scores, const double threshold) {
  return static_cast<double>(
      std::count_if(scores.begin(), scores.end(), [=](const double s) { return s >= threshold; }));
}

inline std::set<double, std::greater<>> distinct(const Scores& a, const Scores& b) {
  std::set<double, std::greater<>> all(a.begin(), a.end());
  all.insert(b.begin(), b.end());
  return all;
}

struct PrecisionRecallAreas {
  double steps = 0;
  double trapezoid = 0;
};

/// For positives that should score high.
inline PrecisionRecallAreas precision_recall_areas(const Scores& positive, const Scores& negative) {
  PrecisionRecallAreas areas;
  double last_recall = 0;
  double last_precision = 1;
  for (const double threshold : distinct(positive, negative)) {
    const double tp = count_from(positive, threshold);
    const double fp = count_from(negative, threshold);
    const double recall = tp / static_cast<double>(positive.size());
    const double precision = tp / (tp + fp);
    areas.steps += (recall - last_recall) * precision;
    areas.trapezoid += (recall - last_recall) * (precision + last_precision) / 2;
    last_recall = recall;
    last_precision = precision;
  }
  return areas;
}

struct RecallPoint {
  double recall = 0;
  double fpr = 0;
};

inline std::vector<RecallPoint> recall_points(const Scores& positive, const Scores& negative) {
  std::vector<RecallPoint> points;
  for (const double threshold : distinct(positive, negative)) {
    points.push_back({count_from(positive, threshold) / static_cast<double>(positive.size()),
                      count_from(negative, threshold) / static_cast<double>(negative.size())});
    if (points.back().recall == 1) break;
  }
  return points;
}

inline double fpr_at_nearest_recall(const Scores& positive, const Scores& negative, const double level) {
  const std::vector<RecallPoint> points = recall_points(positive, negative);
  RecallPoint best = points.back();
  for (auto point = points.rbegin(); point != points.rend(); ++point) {
    if (std::abs(point->recall - level) < std::abs(best.recall - level)) best = *point;
  }
  return best.fpr;
}

inline double fpr_at_first_recall(const Scores& positive, const Scores& negative, const double level) {
  const std::vector<RecallPoint> points = recall_points(positive, negative);
  return std::find_if(points.begin(), points.end(), [=](const RecallPoint& p) { return p.recall >= level; })->fpr;
}

/// k is given, so that the reference need not decide how f N_u is rounded.
inline double ccr_above_kth_unknown(const Scores& known, const std::vector<std::uint8_t>& correct, Scores unknown,
                                    const std::size_t k) {
  std::sort(unknown.begin(), unknown.end(), std::greater<>());
  double right = 0;
  for (std::size_t i = 0; i < known.size(); ++i) right += correct[i] != 0 && known[i] > unknown[k - 1] ? 1 : 0;
  return right / static_cast<double>(known.size());
}

}  // namespace bcr::reference

#endif
