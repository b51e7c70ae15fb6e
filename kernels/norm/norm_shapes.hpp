#ifndef BCR_KERNELS_NORM_NORM_SHAPES_HPP
#define BCR_KERNELS_NORM_NORM_SHAPES_HPP

#include "src/core/error.hpp"
#include "src/core/views.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace bcr::kernels::impl {

/// Throws unless the elements lie side by side: the kernels of this folder address them by flat index.
template <class View>
void require_contiguous(const std::string_view operation, const std::string_view argument, const View& view,
                        const Where where = Where::here()) {
  if (view.span_is_contiguous()) return;
  throw ShapeError(operation, std::string(argument) + " without gaps", "rows apart in memory", where);
}

/// Throws unless `partials` is large enough.
template <class View>
void require_partials(const std::string_view operation, const View& partials, const std::size_t needed,
                      const Where where = Where::here()) {
  if (partials.extent(0) >= needed) return;
  throw ShapeError(operation, "partials of at least " + std::to_string(needed) + " elements",
                   std::to_string(partials.extent(0)), where);
}

}  // namespace bcr::kernels::impl

#endif
