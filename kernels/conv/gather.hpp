#ifndef BCR_KERNELS_CONV_GATHER_HPP
#define BCR_KERNELS_CONV_GATHER_HPP

#include "kernels/conv/axis_segments.hpp"
#include "kernels/conv/epilogue.hpp"
#include "kernels/conv/packed_weights.hpp"
#include "kernels/conv/window.hpp"
#include "src/core/views.hpp"

namespace bcr::kernels::impl {

/// What forward and backward data have in common: every pixel of dst [N, DH, DW, DC] gathers
///   dst(n, h, w, d) = start; for kh, kw of the pixel's taps, for s < SC: dst = fma(src(n, ., ., s), W(kh, kw, s, d),
///   dst)
/// where the axis segments say which taps a pixel meets and where they read. Pixels that meet the same taps are worked
/// on together, so no tap is ever tested or multiplied by padding.
template <class Exec, class T>
struct Gather {
  AxisSegments rows;
  AxisSegments columns;
  ConstTensor4<T, Exec> src;
  ConstVector<T, Exec> packed;  ///< [blocks, KH * KW, SC, channel_block]
  ConstVector<T, Exec> bias;
  Tensor4<T, Exec> dst;
  int kh;
  int kw;
  ChainStart start;
  Epilogue<Exec, T> epilogue{};
};

}  // namespace bcr::kernels::impl

#endif
