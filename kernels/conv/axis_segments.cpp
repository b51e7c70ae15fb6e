#include "kernels/conv/axis_segments.hpp"

#include <algorithm>

namespace bcr::kernels::impl {
namespace {

/// Lengthens the last segment by the output if it continues it and meets the same taps, else opens a new one.
void append(AxisSegments& segments, const AxisSegment& output) {
  if (segments.size > 0) {
    AxisSegment& last = segments.segment[segments.size - 1];
    const bool continues = output.first == last.first + last.count * last.step;
    if (continues && output.taps == last.taps && (output.taps == 0 || output.tap == last.tap)) {
      ++last.count;
      return;
    }
  }
  if (segments.size == static_cast<int>(segments.segment.size()))
    throw ShapeError("convolution", "at most 32 kinds of border rows", "more");
  segments.segment[segments.size++] = output;
}

}  // namespace

AxisSegments forward_segments(const ConvolutionWindow& window, const int inputs, const int taps) {
  AxisSegments segments;
  for (int o = 0; o < window.outputs(inputs, taps); ++o) {
    const int origin = o * window.stride - window.pad;
    const int first = std::max(0, -origin);
    const int last = std::min(taps, inputs - origin);
    append(segments, {.first = o,
                      .step = 1,
                      .count = 1,
                      .tap = first,
                      .tap_step = 1,
                      .taps = std::max(0, last - first),
                      .src = origin + first,
                      .src_step = window.stride,
                      .src_tap_step = 1});
  }
  return segments;
}

AxisSegments backward_segments(const ConvolutionWindow& window, const int inputs, const int taps) {
  const int outputs = window.outputs(inputs, taps);
  AxisSegments segments;
  for (int residue = 0; residue < window.stride; ++residue) {
    for (int i = residue; i < inputs; i += window.stride) {
      AxisSegment input{.first = i,
                        .step = window.stride,
                        .count = 1,
                        .tap = 0,
                        .tap_step = window.stride,
                        .taps = 0,
                        .src = 0,
                        .src_step = 1,
                        .src_tap_step = -1};
      for (int k = (i + window.pad) % window.stride; k < taps && k <= i + window.pad; k += window.stride) {
        const int o = (i + window.pad - k) / window.stride;
        if (o >= outputs) continue;
        if (input.taps == 0) {
          input.tap = k;
          input.src = o;
        }
        ++input.taps;
      }
      append(segments, input);
    }
  }
  return segments;
}

}  // namespace bcr::kernels::impl
