#include "kernels/optim/update_steps.hpp"

#include "src/core/instances.hpp"
#include "src/core/launch.hpp"

namespace bcr::kernels {
namespace {

template <class Exec, class T, MomentumRule rule>
struct SgdStep {
  ConstVector<ParameterChunk, Exec> chunks;
  PerGroup<SgdCoefficients<T>> groups;
  ConstVector<T, Exec> diff_params;
  Vector<T, Exec> velocity;
  Vector<T, Exec> params;

  KOKKOS_FUNCTION void operator()(const typename Kokkos::TeamPolicy<Exec>::member_type& team) const {
    const ParameterChunk chunk = chunks(team.league_rank());
    const SgdCoefficients<T> c = groups[static_cast<std::size_t>(chunk.group)];
    const T* const g = diff_params.data() + chunk.begin;
    T* const v = velocity.data() + chunk.begin;
    T* const p = params.data() + chunk.begin;
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, chunk.size), [=](const int i) {
      const T d = Kokkos::fma(c.weight_decay, p[i], g[i]);
      const T new_v = Kokkos::fma(c.momentum, v[i], d);
      const T direction = rule == MomentumRule::nesterov ? Kokkos::fma(c.momentum, new_v, d) : new_v;
      v[i] = new_v;
      p[i] = Kokkos::fma(-c.rate, direction, p[i]);
    });
  }
};

}  // namespace

template <class Exec, class T>
void sgd_step(const Exec& exec, ConstVector<ParameterChunk, Exec> chunks, const PerGroup<SgdCoefficients<T>>& groups,
              const MomentumRule rule, ConstVector<T, Exec> diff_params, Vector<T, Exec> velocity,
              Vector<T, Exec> params) {
  require_shape("sgd_step", "diff_params", diff_params, shape(params));
  require_shape("sgd_step", "velocity", velocity, shape(params));
  const auto policy = block_policy(exec, chunks.extent_int(0));
  if (rule == MomentumRule::nesterov) {
    const SgdStep<Exec, T, MomentumRule::nesterov> functor{chunks, groups, diff_params, velocity, params};
    Kokkos::parallel_for("bcr::kernels::sgd_step", policy, functor);
  } else {
    const SgdStep<Exec, T, MomentumRule::classical> functor{chunks, groups, diff_params, velocity, params};
    Kokkos::parallel_for("bcr::kernels::sgd_step", policy, functor);
  }
}

#define BCR_INSTANCE(Exec, T)                                                                                          \
  template void sgd_step<Exec, T>(const Exec&, ConstVector<ParameterChunk, Exec>, const PerGroup<SgdCoefficients<T>>&, \
                                  MomentumRule, ConstVector<T, Exec>, Vector<T, Exec>, Vector<T, Exec>);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

namespace {

template <class Exec, class T>
struct AdamStep {
  ConstVector<ParameterChunk, Exec> chunks;
  PerGroup<AdamCoefficients<T>> groups;
  ConstVector<T, Exec> diff_params;
  Vector<T, Exec> first_moment;
  Vector<T, Exec> second_moment;
  Vector<T, Exec> params;

  KOKKOS_FUNCTION void operator()(const typename Kokkos::TeamPolicy<Exec>::member_type& team) const {
    const ParameterChunk chunk = chunks(team.league_rank());
    const AdamCoefficients<T> c = groups[static_cast<std::size_t>(chunk.group)];
    const T* const diff = diff_params.data() + chunk.begin;
    T* const first = first_moment.data() + chunk.begin;
    T* const second = second_moment.data() + chunk.begin;
    T* const p = params.data() + chunk.begin;
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, chunk.size), [=](const int i) {
      const T g = Kokkos::fma(c.weight_decay, p[i], diff[i]);
      const T m = Kokkos::fma(c.one_minus_beta1, g - first[i], first[i]);
      const T v = Kokkos::fma(c.one_minus_beta2 * g, g, c.beta2 * second[i]);
      const T divisor = Kokkos::sqrt(v) / c.root_correction + c.epsilon;
      first[i] = m;
      second[i] = v;
      p[i] = Kokkos::fma(-c.rate, m / divisor, p[i]);
    });
  }
};

}  // namespace

template <class Exec, class T>
void adam_step(const Exec& exec, ConstVector<ParameterChunk, Exec> chunks, const PerGroup<AdamCoefficients<T>>& groups,
               ConstVector<T, Exec> diff_params, Vector<T, Exec> first_moment, Vector<T, Exec> second_moment,
               Vector<T, Exec> params) {
  require_shape("adam_step", "diff_params", diff_params, shape(params));
  require_shape("adam_step", "first_moment", first_moment, shape(params));
  require_shape("adam_step", "second_moment", second_moment, shape(params));
  const AdamStep<Exec, T> functor{chunks, groups, diff_params, first_moment, second_moment, params};
  Kokkos::parallel_for("bcr::kernels::adam_step", block_policy(exec, chunks.extent_int(0)), functor);
}

#define BCR_INSTANCE(Exec, T)                                                                                   \
  template void adam_step<Exec, T>(const Exec&, ConstVector<ParameterChunk, Exec>,                              \
                                   const PerGroup<AdamCoefficients<T>>&, ConstVector<T, Exec>, Vector<T, Exec>, \
                                   Vector<T, Exec>, Vector<T, Exec>);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::kernels
