#include "src/nn/convolution_backend.hpp"

#include <fmt/format.h>

namespace bcr::nn {

std::string ConvolutionProblem::text() const {
  return fmt::format("{}: {}x{} stride {}, [{}, {}, {}] -> [{}, {}, {}]", name, taps, taps, window.stride, src.height,
                     src.width, src.channels, dst.height, dst.width, dst.channels);
}

kernels::ConvolutionShape ConvolutionProblem::shape() const {
  return {.window = window,
          .taps = taps,
          .height = src.height,
          .width = src.width,
          .inputs = src.channels,
          .outputs = dst.channels};
}

}  // namespace bcr::nn
