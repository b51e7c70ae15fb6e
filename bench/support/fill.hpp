#ifndef BCR_BENCH_SUPPORT_FILL_HPP
#define BCR_BENCH_SUPPORT_FILL_HPP

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace bcr::bench {

/// The view, of any space, with value(i) as its i-th element in memory.
template <class View, class Value>
View filled(const View& view, const Value& value) {
  const auto host = Kokkos::create_mirror_view(view);
  for (std::size_t i = 0; i < host.size(); ++i)
    host.data()[i] = static_cast<typename View::non_const_value_type>(value(i));
  Kokkos::deep_copy(view, host);
  return view;
}

/// Numbers in [-scale, scale) without a pattern that a kernel could profit from, always the same.
template <class View>
View scattered(const View& view, const double scale = 1) {
  return filled(view, [=](const std::size_t i) { return (double(i * 2654435761u % 4001) / 2000 - 1) * scale; });
}

}  // namespace bcr::bench

#endif
