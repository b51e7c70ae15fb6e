#include "kernels/gamma/inclusion_plan.hpp"

#include "kernels/gamma/inclusion_fit.hpp"
#include "src/core/error.hpp"
#include "src/core/instances.hpp"
#include "src/core/launch.hpp"

#include <string>

namespace bcr::kernels {

namespace {

int checked_dimensions(const int dimensions) {
  require<ConfigError>(dimensions >= 1 && dimensions <= InclusionPlan::most_dimensions, "inclusion plan",
                       "1 to 4096 dimensions", std::to_string(dimensions));
  return dimensions;
}

double checked_floor(const double floor) {
  require<ConfigError>(floor >= InclusionPlan::default_floor && floor < 1.0, "inclusion plan",
                       "a floor of D^2/n from 1e-30 to 1", std::to_string(floor));
  return floor;
}

/// One team's share.
constexpr int block = 256;

/// dst(i) = curve(src(i)) for one block. A host thread runs the steps of the curve one after the other over the block,
/// each a vector loop; the threads of a device team take one element each and all steps at once.
template <class T, class Exec>
struct EvaluateInclusion {
  InclusionCurve curve;
  ConstVector<T, Exec> src;
  InclusionVectors<T, Exec> dst;

  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const std::size_t first = std::size_t(team.league_rank()) * block;
    const std::size_t left = src.extent(0) - first;
    const int count = left < std::size_t(block) ? int(left) : block;
    if constexpr (is_host_exec<Exec>) {
      by_steps(first, count);
    } else {
      Kokkos::parallel_for(Kokkos::TeamVectorRange(team, count),
                           [&](const int i) { store(first + i, curve(double(src(first + i)))); });
    }
  }

  KOKKOS_FUNCTION void store(const std::size_t i, const Inclusion<double>& value) const {
    dst.log_p(i) = T(value.log_p);
    dst.log_q(i) = T(value.log_q);
    dst.hazard_p(i) = T(value.hazard_p);
    dst.hazard_q(i) = T(value.hazard_q);
  }

  KOKKOS_FUNCTION void by_steps(const std::size_t first, const int count) const {
    const InclusionCurve at = curve;  // a copy of our own: no store below can alias its constants
    const T* const squared_distance = &src(first);
    T* const log_p = &dst.log_p(first);
    T* const log_q = &dst.log_q(first);
    T* const hazard_p = &dst.hazard_p(first);
    T* const hazard_q = &dst.hazard_q(first);
    double x[block];
    double ratio[block];
    double log_tail[block];
    double tail[block];
    double log_rest[block];
    for (int i = 0; i < count; ++i) x[i] = at.limited(double(squared_distance[i]));
    for (int i = 0; i < count; ++i) ratio[i] = at.tail_ratio(x[i]);
    for (int i = 0; i < count; ++i) log_tail[i] = at.log_mass(x[i]);
    for (int i = 0; i < count; ++i) tail[i] = at.tail(ratio[i], log_tail[i]);
    for (int i = 0; i < count; ++i) log_tail[i] += at.log_ratio(ratio[i]);
    for (int i = 0; i < count; ++i) log_rest[i] = at.log_rest(tail[i]);
    for (int i = 0; i < count; ++i) {
      const Inclusion<double> value = at.both_sides(x[i], ratio[i], tail[i], log_tail[i], log_rest[i]);
      log_p[i] = T(value.log_p);
      log_q[i] = T(value.log_q);
      hazard_p[i] = T(value.hazard_p);
      hazard_q[i] = T(value.hazard_q);
    }
  }
};

}  // namespace

InclusionPlan::InclusionPlan(const int dimensions, const double floor)
    : dimensions_(checked_dimensions(dimensions)),
      floor_(checked_floor(floor)),
      curve_(fit_inclusion_curve(dimensions, floor)) {}

template <class T, class Exec>
void evaluate(const Exec& exec, const InclusionPlan& plan, const ConstVector<T, Exec> squared_distances,
              const InclusionVectors<T, Exec>& dst) {
  const std::size_t N = squared_distances.extent(0);
  require_shape("inclusion", "log_p", dst.log_p, {N});
  require_shape("inclusion", "log_q", dst.log_q, {N});
  require_shape("inclusion", "hazard_p", dst.hazard_p, {N});
  require_shape("inclusion", "hazard_q", dst.hazard_q, {N});
  if (N == 0) return;

  const int blocks = static_cast<int>((N + block - 1) / block);
  const EvaluateInclusion<T, Exec> functor{plan.curve(), squared_distances, dst};
  Kokkos::parallel_for("bcr::kernels::inclusion", block_policy(exec, blocks), functor);
}

#define BCR_INSTANCE(EXEC, REAL)                                                                 \
  template void evaluate<REAL, EXEC>(const EXEC&, const InclusionPlan&, ConstVector<REAL, EXEC>, \
                                     const InclusionVectors<REAL, EXEC>&);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::kernels
