#include "kernels/optim/update_steps.hpp"
#include "src/core/instances.hpp"
#include "src/identity/digest.hpp"
#include "src/identity/inputs.hpp"
#include "src/identity/subject.hpp"

namespace bcr::identity {
namespace {

constexpr std::size_t size = 5003;
constexpr int steps = 3;

/// Chunks of odd lengths in two groups; element 0 and the last one belong to none.
template <class Exec>
Vector<kernels::ParameterChunk, Exec> make_chunks(const Exec& exec) {
  const Vector<kernels::ParameterChunk, Exec> chunks("bcr::identity::chunks", 3);
  const auto host = Kokkos::create_mirror_view(Kokkos::WithoutInitializing, chunks);
  host(0) = {1, 1024, 0};
  host(1) = {1025, 1, 1};
  host(2) = {1026, static_cast<std::int32_t>(size) - 1027, 1};
  Kokkos::deep_copy(exec, chunks, host);
  exec.fence();
  return chunks;
}

/// Of both signs, from very small to large against the parameters.
template <class T>
T gradient(Random& random) {
  const T magnitude = spread_over_binades<T>(random, -20, 3);
  return random.below(2) == 0 ? magnitude : -magnitude;
}

template <class T>
T parameter(Random& random) {
  return uniform_between<T>(random, T(-1), T(1));
}

/// A new gradient at each step, so that the state matters.
template <class T, class Exec>
Vector<T, Exec> gradients_of(const Exec& exec, const int step) {
  return vector_input<T>(exec, "identity/optim/gradient/" + std::to_string(step), size, gradient<T>);
}

template <class Exec, class T, kernels::MomentumRule rule>
std::string sgd_digest(const Exec& exec) {
  const auto chunks = make_chunks(exec);
  const auto params = vector_input<T>(exec, "identity/optim/params", size, parameter<T>);
  const Vector<T, Exec> velocity("bcr::identity::velocity", size);
  kernels::PerGroup<kernels::SgdCoefficients<T>> groups{};
  groups[0] = {T(0.1), T(5e-4), T(0.9)};
  groups[1] = {T(0.03), T(0), T(0.7)};
  for (int step = 0; step < steps; ++step) {
    kernels::sgd_step<Exec, T>(exec, chunks, groups, rule, gradients_of<T>(exec, step), velocity, params);
  }
  return digest_of(exec, velocity, params);
}

/// The corrections are given, not computed: powers of beta are the business of the optimiser on the host.
template <class Exec, class T>
std::string adam_digest(const Exec& exec) {
  const auto chunks = make_chunks(exec);
  const auto params = vector_input<T>(exec, "identity/optim/params", size, parameter<T>);
  const Vector<T, Exec> first("bcr::identity::first_moment", size), second("bcr::identity::second_moment", size);
  kernels::PerGroup<kernels::AdamCoefficients<T>> groups{};
  groups[0] = {T(1e-2), T(5e-4), T(0.1), T(0.999), T(0.001), T(0.03), T(1e-8)};
  groups[1] = {T(3e-3), T(0), T(0.2), T(0.99), T(0.01), T(0.1), T(1e-6)};
  for (int step = 0; step < steps; ++step) {
    kernels::adam_step<Exec, T>(exec, chunks, groups, gradients_of<T>(exec, step), first, second, params);
  }
  return digest_of(exec, first, second, params);
}

template <class Exec, class T>
void add_for(std::vector<Subject<Exec>>& subjects) {
  using enum kernels::MomentumRule;
  const std::string type(element_type_name<T>());
  subjects.push_back({"optim.sgd.classical." + type, sgd_digest<Exec, T, classical>});
  subjects.push_back({"optim.sgd.nesterov." + type, sgd_digest<Exec, T, nesterov>});
  subjects.push_back({"optim.adam." + type, adam_digest<Exec, T>});
}

}  // namespace

template <class Exec>
void add_optim_subjects(std::vector<Subject<Exec>>& subjects) {
  add_for<Exec, float>(subjects);
  add_for<Exec, double>(subjects);
}

#define BCR_INSTANCE(Exec) template void add_optim_subjects<Exec>(std::vector<Subject<Exec>>&);
BCR_FOR_EACH_EXEC(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::identity
