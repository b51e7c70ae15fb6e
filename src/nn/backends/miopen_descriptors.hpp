#ifndef BCR_SRC_NN_BACKENDS_MIOPEN_DESCRIPTORS_HPP
#define BCR_SRC_NN_BACKENDS_MIOPEN_DESCRIPTORS_HPP

#include "src/core/error.hpp"
#include "src/nn/backends/library_object.hpp"
#include "src/nn/convolution_backend.hpp"

#include <miopen/miopen.h>

#include <array>
#include <string_view>

namespace bcr::nn {

inline void require_miopen(const miopenStatus_t status, const std::string_view operation) {
  if (status != miopenStatusSuccess) throw BackendError(operation, "success", miopenGetErrorString(status));
}

template <class Handle, auto create, auto destroy>
using MiopenObject = LibraryObject<Handle, create, destroy, require_miopen>;
using MiopenHandle = MiopenObject<miopenHandle_t, miopenCreate, miopenDestroy>;
using MiopenTensor =
    MiopenObject<miopenTensorDescriptor_t, miopenCreateTensorDescriptor, miopenDestroyTensorDescriptor>;
using MiopenWindow =
    MiopenObject<miopenConvolutionDescriptor_t, miopenCreateConvolutionDescriptor, miopenDestroyConvolutionDescriptor>;

/// The shapes of one convolution of floats for a batch of `images`. MIOpen's weights are [OC, KH, KW, IC].
struct MiopenShapes {
  MiopenShapes(const ConvolutionProblem& problem, const int images) {
    const auto set = [](const MiopenTensor& tensor, const std::array<int, 4>& channels_second) {
      require_miopen(
          miopenSetNdTensorDescriptorWithLayout(tensor, miopenFloat, miopenTensorNHWC, channels_second.data(), 4),
          "miopenSetNdTensorDescriptorWithLayout");
    };
    set(src, {images, problem.src.channels, problem.src.height, problem.src.width});
    set(dst, {images, problem.dst.channels, problem.dst.height, problem.dst.width});
    set(weights, {problem.dst.channels, problem.src.channels, problem.taps, problem.taps});
    const auto& [stride, pad] = problem.window;
    require_miopen(miopenInitConvolutionDescriptor(window, miopenConvolution, pad, pad, stride, stride, 1, 1),
                   "miopenInitConvolutionDescriptor");
    require_miopen(miopenSetConvolutionAttribute(window, MIOPEN_CONVOLUTION_ATTRIB_DETERMINISTIC, 1),
                   "miopenSetConvolutionAttribute");
  }

  MiopenTensor src;
  MiopenTensor dst;
  MiopenTensor weights;
  MiopenWindow window;
};

}  // namespace bcr::nn

#endif
