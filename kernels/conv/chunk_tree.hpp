#ifndef BCR_KERNELS_CONV_CHUNK_TREE_HPP
#define BCR_KERNELS_CONV_CHUNK_TREE_HPP

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace bcr::kernels::impl {

/// Joins `count` <= width neighbouring sums of the chunks at from, from + step, ... by the binary tree of the chunks'
/// numbers: (0 + 1), (2 + 3), ..., then these pairwise, and so on; a last one without a partner moves up as it is. No
/// chunks: 0.
template <int width, class T>
KOKKOS_FUNCTION void join_chunks(const T* from, const std::size_t step, const int chunks, const int count,
                                 T (&sum)[width]) {
  T level[32][width];
  for (int i = 0; i < count; ++i) sum[i] = T(0);
  for (int chunk = 0; chunk < chunks; ++chunk, from += step) {
    for (int i = 0; i < count; ++i) sum[i] = from[i];
    int top = 0;
    for (; (chunk >> top) & 1; ++top)  // the chunk completes as many pairs as its number ends in ones
      for (int i = 0; i < count; ++i) sum[i] = level[top][i] + sum[i];
    for (int i = 0; i < count; ++i) level[top][i] = sum[i];
  }
  int top = 0;
  while (top < 31 && !((chunks >> top) & 1)) ++top;
  if (chunks > 0)
    for (int i = 0; i < count; ++i) sum[i] = level[top][i];
  for (++top; top < 31; ++top)  // incomplete pairs, from the last chunk upwards
    if ((chunks >> top) & 1)
      for (int i = 0; i < count; ++i) sum[i] = level[top][i] + sum[i];
}

}  // namespace bcr::kernels::impl

#endif
