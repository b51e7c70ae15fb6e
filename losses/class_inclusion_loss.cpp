#include "kernels/gamma/inclusion_plan.hpp"
#include "kernels/math/exp.hpp"
#include "kernels/math/log.hpp"
#include "losses/row_loss.hpp"

namespace bcr::losses {
namespace {

/// Logarithms and hazards as such: finite for every finite D^2.
struct LogDomain {
  kernels::InclusionCurve curve;

  KOKKOS_FUNCTION RowTerm pull(const double squared_distance) const {
    const kernels::Inclusion<double> found = curve(squared_distance);
    return {.value = -found.log_q, .best = 0.5 * found.hazard_q};
  }
  KOKKOS_FUNCTION RowTerm push(const double squared_distance) const {
    const kernels::Inclusion<double> found = curve(squared_distance);
    return {.value = -found.log_p, .best = -0.5 * found.hazard_p};
  }
};

/// As written, every step rounded to T: -log(P_I + eps) and -log(1 - P_I + eps), whose slopes have g / (P_I + eps) and
/// g / (1 - P_I + eps). Once P_I rounds to 1, the push is g/eps, which vanishes, or infinite without eps.
template <class T>
struct AsWritten {
  kernels::InclusionCurve curve;
  T eps;

  KOKKOS_FUNCTION RowTerm pull(const double squared_distance) const {
    const kernels::Inclusion<double> found = curve(squared_distance);
    const T q = T(found.q());
    const T inside = q + eps;
    return {.value = -double(kernels::strict::log(inside)), .best = 0.5 * double(density(found) / inside)};
  }
  KOKKOS_FUNCTION RowTerm push(const double squared_distance) const {
    const kernels::Inclusion<double> found = curve(squared_distance);
    const T outside = T(1) - T(found.q());
    const T guarded = outside + eps;
    return {.value = -double(kernels::strict::log(guarded)), .best = -0.5 * double(density(found) / guarded)};
  }
  KOKKOS_FUNCTION static T density(const kernels::Inclusion<double>& found) {
    return T(found.log_q > found.log_p ? found.hazard_q * found.q() : found.hazard_p * found.p());
  }
};

/// The loss of the paper, for squared distances. With P_I(D^2) = Q(n/2, D^2/2) and c* = argmin_c D_c^2:
///   known rows:      1[y = c*] (-log P_I(D_c*^2)),   slope h/2 at D_c*^2, h = g/Q
///   background rows: -log(1 - P_I(D_c*^2)),          slope -r/2,          r = g/(1 - Q)
/// The mean over the known rows counts those with y != c* as 0. c* is a constant for the gradient.
template <class Numerics>
struct ClassInclusion {
  static constexpr RowNeeds needs{};
  Numerics numerics;
  double known_factor;
  double background_factor;

  KOKKOS_FUNCTION RowTerm known(const Row& row) const {
    if (known_factor == 0 || row.best_class != row.target) return {};
    return numerics.pull(row.best);
  }
  KOKKOS_FUNCTION RowTerm background(const Row& row) const {
    if (background_factor == 0) return {};
    return numerics.push(row.best);
  }
};

struct MakeClassInclusion {
  template <class Exec, class T>
  static std::unique_ptr<Objective<Exec, T>> make(const LossEntry& entry, const LossOptions& options,
                                                  const LossShape& shape) {
    const kernels::InclusionCurve curve = kernels::InclusionPlan(shape.features, options.inclusion.floor).curve();
    if (options.inclusion.numerics == InclusionNumerics::log_domain)
      return make_with<Exec, T>(entry, options, shape, LogDomain{curve});
    return make_with<Exec, T>(entry, options, shape, AsWritten<T>{curve, T(options.inclusion.eps)});
  }

 private:
  template <class Exec, class T, class Numerics>
  static std::unique_ptr<Objective<Exec, T>> make_with(const LossEntry& entry, const LossOptions& options,
                                                       const LossShape& shape, const Numerics& numerics) {
    const InclusionTerms terms = options.inclusion.terms;
    using Term = ClassInclusion<Numerics>;
    return std::make_unique<RowLoss<Exec, T, Term>>(
        entry, options, shape,
        Term{numerics, terms == InclusionTerms::unknown ? 0.0 : 1.0, terms == InclusionTerms::known ? 0.0 : 1.0});
  }
};

}  // namespace

LossEntry class_inclusion_loss() {
  return {.name = "class_inclusion",
          .title = "Class inclusion",
          .fits = LossEntry::Fits::distances,
          .lambda = 5,
          .formula = "-log P_I if y is nearest; background -log(1 - P_I)",
          .make = PerInstance<ObjectiveMaker>::of<MakeClassInclusion>()};
}

}  // namespace bcr::losses
