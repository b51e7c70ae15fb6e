#include "kernels/math/cos_pi.hpp"
#include "kernels/math/map.hpp"
#include "src/core/instances.hpp"
#include "src/identity/digest.hpp"
#include "src/identity/inputs.hpp"
#include "src/identity/subject.hpp"

namespace bcr::identity {
namespace {

constexpr std::size_t size = 20011;

template <class Exec, class T>
using Map = void (*)(const Exec&, ConstVector<T, Exec>, Vector<T, Exec>);

/// The bits of a NaN are nobody's promise: no input here gives one.
template <class Exec, class T, Map<Exec, T> map, T (*input)(Random&)>
std::string map_digest(const Exec& exec) {
  const auto src = vector_input<T>(exec, "identity/math", size, input);
  const Vector<T, Exec> dst("bcr::identity::dst", size);
  map(exec, src, dst);
  return digest_of(exec, dst);
}

/// Both signs, from far below the smallest result to beyond the largest.
template <class T>
T exponent_input(Random& random) {
  const T limit = std::is_same_v<T, float> ? T(110) : T(760);
  const bool near_zero = random.below(2) == 0;
  return near_zero ? uniform_between<T>(random, -1, 1) : uniform_between<T>(random, -limit, limit);
}

/// Every positive magnitude, subnormal ones too, and many values near 1.
template <class T>
T logarithm_input(Random& random) {
  if (random.below(2) == 0) return uniform_between<T>(random, T(0.5), T(2));
  return std::is_same_v<T, float> ? spread_over_binades<T>(random, -148, 127)
                                  : spread_over_binades<T>(random, -1070, 1023);
}

template <class T>
T log1p_input(Random& random) {
  const bool positive = random.below(2) == 0;
  const T magnitude = spread_over_binades<T>(random, -60, positive ? 60 : -2);
  return positive ? magnitude : -magnitude;
}

template <class T>
T erfc_input(Random& random) {
  return uniform_between<T>(random, T(-7), T(30));
}

/// Both signs, tiny ones too, to where tanh is 1.
template <class T>
T saturating_input(Random& random) {
  if (random.below(2) == 0) return uniform_between<T>(random, T(-25), T(25));
  const T magnitude = spread_over_binades<T>(random, -60, 1);
  return random.below(2) == 0 ? magnitude : -magnitude;
}

template <class Exec>
struct CosPi {
  ConstVector<double, Exec> src;
  Vector<double, Exec> dst;
  KOKKOS_FUNCTION void operator()(const int i) const { dst(i) = kernels::strict::cos_pi(src(i)); }
};

double schedule_place(Random& random) {
  return random.uniform<double>();
}

/// cos_pi has no map of its own: schedules ask for one value at a time.
template <class Exec>
std::string cos_pi_digest(const Exec& exec) {
  const auto src = vector_input<double>(exec, "identity/math", size, schedule_place);
  const Vector<double, Exec> dst("bcr::identity::dst", size);
  Kokkos::parallel_for("bcr::identity::cos_pi", Kokkos::RangePolicy<Exec>(exec, 0, size), CosPi<Exec>{src, dst});
  return digest_of(exec, dst);
}

template <class Exec, class T>
void add_for(std::vector<Subject<Exec>>& subjects) {
  namespace strict = kernels::strict;
  const std::string type(element_type_name<T>());
  subjects.push_back({"math.exp." + type, map_digest<Exec, T, strict::exp<Exec, T>, exponent_input<T>>});
  subjects.push_back({"math.expm1." + type, map_digest<Exec, T, strict::expm1<Exec, T>, exponent_input<T>>});
  subjects.push_back({"math.log." + type, map_digest<Exec, T, strict::log<Exec, T>, logarithm_input<T>>});
  subjects.push_back({"math.log1p." + type, map_digest<Exec, T, strict::log1p<Exec, T>, log1p_input<T>>});
  subjects.push_back({"math.erfc." + type, map_digest<Exec, T, strict::erfc<Exec, T>, erfc_input<T>>});
  subjects.push_back({"math.sigmoid." + type, map_digest<Exec, T, strict::sigmoid<Exec, T>, exponent_input<T>>});
  subjects.push_back({"math.tanh." + type, map_digest<Exec, T, strict::tanh<Exec, T>, saturating_input<T>>});
}

}  // namespace

template <class Exec>
void add_math_subjects(std::vector<Subject<Exec>>& subjects) {
  add_for<Exec, float>(subjects);
  add_for<Exec, double>(subjects);
  subjects.push_back({"math.cos_pi.float64", cos_pi_digest<Exec>});
}

#define BCR_INSTANCE(Exec) template void add_math_subjects<Exec>(std::vector<Subject<Exec>>&);
BCR_FOR_EACH_EXEC(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::identity
