#include "kernels/channels/channel_slice.hpp"

#include "kernels/pool/pixel_block.hpp"
#include "src/core/instances.hpp"

namespace bcr::kernels {
namespace {

template <class Exec, class T>
struct WriteSlice {
  ConstTensor4<T, Exec> slice;
  Tensor4<T, Exec> wide;
  int offset;

  KOKKOS_FUNCTION void operator()(const int n, const int h, const int w, const int first, const int count) const {
    const T* const from = &slice(n, h, w, first);
    T* const to = &wide(n, h, w, offset + first);
#pragma omp simd
    for (int c = 0; c < count; ++c) to[c] = from[c];
  }
};

template <class Exec, class T>
struct ReadSlice {
  ConstTensor4<T, Exec> wide;
  Tensor4<T, Exec> slice;
  int offset;
  bool adds;

  KOKKOS_FUNCTION void operator()(const int n, const int h, const int w, const int first, const int count) const {
    const T* const from = &wide(n, h, w, offset + first);
    T* const to = &slice(n, h, w, first);
    if (adds) {
#pragma omp simd
      for (int c = 0; c < count; ++c) to[c] = to[c] + from[c];
    } else {
#pragma omp simd
      for (int c = 0; c < count; ++c) to[c] = from[c];
    }
  }
};

template <class Slice, class Wide>
void require_slice(const std::string_view operation, const Slice& slice, const int first, const Wide& wide) {
  require_shape(operation, "slice", slice, {wide.extent(0), wide.extent(1), wide.extent(2), slice.extent(3)});
  if (first < 0 || static_cast<std::size_t>(first) + slice.extent(3) > wide.extent(3))
    throw ShapeError(operation, "channels within the " + std::to_string(wide.extent(3)) + " of the wider image",
                     std::to_string(slice.extent(3)) + " from " + std::to_string(first) + " on");
}

}  // namespace

template <class Exec, class T>
void write_channels(const Exec& exec, ConstTensor4<T, Exec> slice, const int first, Tensor4<T, Exec> wide) {
  require_slice("write_channels", slice, first, wide);
  impl::for_each_pixel("bcr::kernels::write_channels", exec, WriteSlice<Exec, T>{slice, wide, first},
                       slice.extent_int(0), slice.extent_int(1), slice.extent_int(2), slice.extent_int(3));
}

template <class Exec, class T>
void read_channels(const Exec& exec, ConstTensor4<T, Exec> wide, const int first, const ChainStart start,
                   Tensor4<T, Exec> slice) {
  require_slice("read_channels", slice, first, wide);
  require<ShapeError>(start != ChainStart::bias, "read_channels", "a start at zero or dst", "a bias");
  impl::for_each_pixel("bcr::kernels::read_channels", exec,
                       ReadSlice<Exec, T>{wide, slice, first, start == ChainStart::dst}, slice.extent_int(0),
                       slice.extent_int(1), slice.extent_int(2), slice.extent_int(3));
}

#define BCR_INSTANCE(Exec, T)                                                                            \
  template void write_channels<Exec, T>(const Exec&, ConstTensor4<T, Exec>, int, Tensor4<T, Exec>);      \
  template void read_channels<Exec, T>(const Exec&, ConstTensor4<T, Exec>, int, ChainStart, Tensor4<T, Exec>);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::kernels
