#ifndef BCR_SRC_IDENTITY_INPUTS_HPP
#define BCR_SRC_IDENTITY_INPUTS_HPP

#include "src/core/random.hpp"
#include "src/core/views.hpp"

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace bcr::identity {

/// Fixed inputs: made on the host by integer arithmetic and exact or single-rounded operations, so that the inputs
/// themselves are the same bits everywhere. `name` selects the random stream.
template <class T>
T uniform_between(Random& random, const T low, const T high) {
  return Kokkos::fma(high - low, random.uniform<T>(), low);
}

/// A number of random sign-free magnitude: mantissa in [1, 2) times 2^k, k uniform in [lowest, highest].
template <class T>
T spread_over_binades(Random& random, const int lowest, const int highest) {
  const T mantissa = T(1) + random.uniform<T>();
  const int binade = lowest + static_cast<int>(random.below(static_cast<std::uint64_t>(highest - lowest + 1)));
  return std::ldexp(mantissa, binade);  // exact, or rounded once to a subnormal number
}

/// A device View of the given extents, filled in row-major order: element i is make(random_i) or make(random_i, i).
template <class View, class Exec, class Make>
View fill_input(const Exec& exec, const std::string_view name, const typename View::array_layout& extents,
                const Make& make) {
  const View view(Kokkos::view_alloc(exec, Kokkos::WithoutInitializing, "bcr::identity::input"), extents);
  const auto host = Kokkos::create_mirror_view(Kokkos::WithoutInitializing, view);
  constexpr std::uint64_t seed = 20220417;  // any number; part of the definition of the golden values
  for (std::size_t i = 0; i < host.size(); ++i) {
    Random random(seed, Stream(name), 0, i);  // NOLINT(misc-const-correctness): some take, some draw
    if constexpr (std::is_invocable_v<const Make&, Random&, std::size_t>)
      host.data()[i] = make(random, i);
    else
      host.data()[i] = make(random);
  }
  Kokkos::deep_copy(exec, view, host);
  exec.fence();
  return view;
}

template <class T, class Exec, class Make>
Vector<T, Exec> vector_input(const Exec& exec, const std::string_view name, const std::size_t size, const Make& make) {
  return fill_input<Vector<T, Exec>>(exec, name, Kokkos::LayoutRight(size), make);
}

template <class T, class Exec, class Make>
Matrix<T, Exec> matrix_input(const Exec& exec, const std::string_view name, const std::size_t rows,
                             const std::size_t columns, const Make& make) {
  return fill_input<Matrix<T, Exec>>(exec, name, Kokkos::LayoutRight(rows, columns), make);
}

}  // namespace bcr::identity

#endif
