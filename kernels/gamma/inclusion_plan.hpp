#ifndef BCR_KERNELS_GAMMA_INCLUSION_PLAN_HPP
#define BCR_KERNELS_GAMMA_INCLUSION_PLAN_HPP

#include "kernels/gamma/inclusion_curve.hpp"
#include "src/core/views.hpp"

namespace bcr::kernels {

/// The probability of inclusion in n dimensions, prepared once per run: a = n/2, n from 1 to `most_dimensions`.
///
/// Its constants are found in 50-digit integer arithmetic and rounded once, so they are the same on every host.
/// Making a plan takes some milliseconds; it owns no device memory.
class InclusionPlan {
 public:
  static constexpr int most_dimensions = 4096;
  /// D^2/n below which the outputs stay at their value there: only so that log P and hazard_p <= 1e30 stay finite, in
  /// float too. A loss that wants to limit the push on background samples asks for a larger one, such as 1e-6.
  static constexpr double default_floor = 1e-30;

  /// Throws a ConfigError unless 1 <= dimensions <= most_dimensions and 1e-30 <= floor < 1.
  explicit InclusionPlan(int dimensions, double floor = default_floor);

  int dimensions() const { return dimensions_; }
  double floor() const { return floor_; }

  /// For kernels: plan.curve()(D^2) is an Inclusion<double>.
  const InclusionCurve& curve() const { return curve_; }

 private:
  int dimensions_;
  double floor_;
  InclusionCurve curve_;
};

/// Where `evaluate` writes, each of length N.
template <class T, class Exec>
struct InclusionVectors {
  Vector<T, Exec> log_p;
  Vector<T, Exec> log_q;
  Vector<T, Exec> hazard_p;
  Vector<T, Exec> hazard_q;
};

/// dst(i) = plan.curve()(squared_distances(i)), computed in double, rounded to T once; the same bits on every space.
/// squared_distances [N], N >= 0; no output may overlap it. Allocates nothing and does not fence. Moves 5 N numbers.
/// Throws a ShapeError when the lengths differ. Instantiated for every execution space and float, double.
template <class T, class Exec>
void evaluate(const Exec& exec, const InclusionPlan& plan, ConstVector<T, Exec> squared_distances,
              const InclusionVectors<T, Exec>& dst);

}  // namespace bcr::kernels

#endif
