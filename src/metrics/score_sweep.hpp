#ifndef BCR_SRC_METRICS_SCORE_SWEEP_HPP
#define BCR_SRC_METRICS_SCORE_SWEEP_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace bcr::metrics {

/// What an evaluation needs of its samples. A higher score always means "more known".
template <class T>
struct OpenSetScores {
  std::span<const T> known;               ///< score of each sample of a known class
  std::span<const std::uint8_t> correct;  ///< 1 where that sample's closed-set prediction is right, else 0
  std::span<const T> unknown;             ///< score of each sample of an unknown class
};

/// All thresholds that matter, in descending order, with what each of them accepts. Built once by one sort; every
/// threshold-free metric is then a short walk over it, and a sample is accepted when its score >= threshold.
///
/// Equal scores form one group: there is no threshold between them, so no metric depends on the order of ties.
/// -0 and +0 are equal, infinities are ordinary extreme scores, NaN is a NumericsError that names its index.
/// Counts are integers: exact, and independent of the number of threads. Fewer than 2^31 samples.
/// Memory: 20 bytes per group kept, 16 bytes per sample while building.
class ScoreSweep {
 public:
  explicit ScoreSweep(const OpenSetScores<float>& scores);
  explicit ScoreSweep(const OpenSetScores<double>& scores);

  std::int32_t known() const { return known_; }
  std::int32_t correct() const { return correct_; }
  std::int32_t unknown() const { return unknown_; }

  /// Number of distinct scores G.
  std::size_t groups() const { return groups_; }

  /// The G distinct scores, descending.
  std::span<const double> thresholds() const { return {thresholds_.get(), groups_}; }

  /// G + 1 counts each: entry i counts the samples among the i highest distinct scores. Entry 0 is 0 (a threshold of
  /// +infinity, nothing accepted), entry i >= 1 belongs to thresholds()[i - 1], entry G counts all.
  std::span<const std::int32_t> known_above() const { return {known_above_.get(), groups_ + 1}; }
  std::span<const std::int32_t> correct_above() const { return {correct_above_.get(), groups_ + 1}; }
  std::span<const std::int32_t> unknown_above() const { return {unknown_above_.get(), groups_ + 1}; }

 private:
  template <class T>
  void build(const OpenSetScores<T>& scores);
  void allocate(std::size_t groups);

  std::int32_t known_ = 0;
  std::int32_t correct_ = 0;
  std::int32_t unknown_ = 0;
  std::size_t groups_ = 0;
  std::unique_ptr<double[]> thresholds_;
  std::unique_ptr<std::int32_t[]> known_above_;
  std::unique_ptr<std::int32_t[]> correct_above_;
  std::unique_ptr<std::int32_t[]> unknown_above_;
};

}  // namespace bcr::metrics

#endif
