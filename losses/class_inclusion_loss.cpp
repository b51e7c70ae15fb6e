#include "losses/class_inclusion_loss.hpp"

#include "kernels/gamma/inclusion_plan.hpp"
#include "kernels/math/exp.hpp"
#include "kernels/math/log.hpp"
#include "losses/row_loss.hpp"
#include "src/core/instances.hpp"

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

template <class Exec, class T, class Numerics>
std::unique_ptr<Loss<Exec, T>> make_with(const Numerics& numerics, const LossOptions& options, const LossShape& shape) {
  const InclusionTerms terms = options.inclusion.terms;
  using Term = ClassInclusion<Numerics>;
  return std::make_unique<RowLoss<Exec, T, Term>>(
      "class_inclusion", options, shape,
      Term{numerics, terms == InclusionTerms::unknown ? 0.0 : 1.0, terms == InclusionTerms::known ? 0.0 : 1.0});
}

}  // namespace

template <class Exec, class T>
std::unique_ptr<Loss<Exec, T>> make_class_inclusion_loss(const LossOptions& options, const LossShape& shape) {
  const kernels::InclusionPlan plan(shape.features, options.inclusion.floor);
  if (options.inclusion.numerics == InclusionNumerics::log_domain)
    return make_with<Exec, T>(LogDomain{plan.curve()}, options, shape);
  return make_with<Exec, T>(AsWritten<T>{plan.curve(), T(options.inclusion.eps)}, options, shape);
}

#define BCR_INSTANCE(Exec, T) \
  template std::unique_ptr<Loss<Exec, T>> make_class_inclusion_loss<Exec, T>(const LossOptions&, const LossShape&);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::losses
