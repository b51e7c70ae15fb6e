#include "kernels/gamma/incomplete_gamma.hpp"
#include "kernels/gamma/inclusion_plan.hpp"
#include "src/core/instances.hpp"
#include "src/identity/digest.hpp"
#include "src/identity/inputs.hpp"
#include "src/identity/subject.hpp"

namespace bcr::identity {
namespace {

constexpr std::size_t size = 4001;

/// D^2/n from 2^-20 to 2^10, half of it near 1, where the two tails are of one size.
template <class T, int dimensions>
T squared_distance_input(Random& random) {
  const T ratio = random.below(2) == 0 ? uniform_between<T>(random, T(0.25), T(3)) : spread_over_binades<T>(random, -20, 9);
  return ratio * T(dimensions);
}

/// The plan made on this host, evaluated on this device.
template <class Exec, class T, int dimensions>
std::string plan_digest(const Exec& exec) {
  const auto src = vector_input<T>(exec, "identity/gamma", size, squared_distance_input<T, dimensions>);
  const kernels::InclusionVectors<T, Exec> dst{
      Vector<T, Exec>("bcr::identity::log_p", size), Vector<T, Exec>("bcr::identity::log_q", size),
      Vector<T, Exec>("bcr::identity::hazard_p", size), Vector<T, Exec>("bcr::identity::hazard_q", size)};
  kernels::evaluate(exec, kernels::InclusionPlan(dimensions), src, dst);
  return digest_of(exec, dst.log_p, dst.log_q, dst.hazard_p, dst.hazard_q);
}

/// The scalar function for any real shape, called in a kernel.
template <class Exec>
struct GeneralGamma {
  Vector<double, Exec> shapes;
  Vector<double, Exec> arguments;
  Matrix<double, Exec> dst;

  KOKKOS_FUNCTION void operator()(const int i) const {
    const auto value = kernels::incomplete_gamma(shapes(i), arguments(i));
    dst(i, 0) = value.log_p;
    dst(i, 1) = value.log_q;
    dst(i, 2) = value.hazard_p;
    dst(i, 3) = value.hazard_q;
  }
};

inline double shape_input(Random& random) { return spread_over_binades<double>(random, -4, 12); }
inline double argument_input(Random& random) { return spread_over_binades<double>(random, -12, 13); }

template <class Exec>
std::string general_digest(const Exec& exec) {
  const GeneralGamma<Exec> functor{vector_input<double>(exec, "identity/gamma/shape", size, shape_input),
                                   vector_input<double>(exec, "identity/gamma/argument", size, argument_input),
                                   Matrix<double, Exec>("bcr::identity::dst", size, 4)};
  Kokkos::parallel_for("bcr::identity::incomplete_gamma", Kokkos::RangePolicy<Exec>(exec, 0, size), functor);
  return digest_of(exec, functor.dst);
}

}  // namespace

template <class Exec>
void add_gamma_subjects(std::vector<Subject<Exec>>& subjects) {
  subjects.push_back({"gamma.plan.n1.float64", plan_digest<Exec, double, 1>});
  subjects.push_back({"gamma.plan.n7.float64", plan_digest<Exec, double, 7>});
  subjects.push_back({"gamma.plan.n128.float64", plan_digest<Exec, double, 128>});
  subjects.push_back({"gamma.plan.n128.float32", plan_digest<Exec, float, 128>});
  subjects.push_back({"gamma.plan.n640.float64", plan_digest<Exec, double, 640>});
  subjects.push_back({"gamma.plan.n4096.float64", plan_digest<Exec, double, 4096>});
  subjects.push_back({"gamma.any_shape.float64", general_digest<Exec>});
}

#define BCR_INSTANCE(Exec) template void add_gamma_subjects<Exec>(std::vector<Subject<Exec>>&);
BCR_FOR_EACH_EXEC(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::identity
