#ifndef BCR_SRC_NN_BACKENDS_CUDNN_DESCRIPTORS_HPP
#define BCR_SRC_NN_BACKENDS_CUDNN_DESCRIPTORS_HPP

#include "src/core/error.hpp"
#include "src/nn/backends/library_object.hpp"
#include "src/nn/convolution_backend.hpp"

#include <cudnn.h>

#include <string_view>
#include <type_traits>

namespace bcr::nn {

inline void require_cudnn(const cudnnStatus_t status, const std::string_view operation) {
  if (status != CUDNN_STATUS_SUCCESS) throw BackendError(operation, "success", cudnnGetErrorString(status));
}

template <class T>
inline constexpr cudnnDataType_t cudnn_type = std::is_same_v<T, float> ? CUDNN_DATA_FLOAT : CUDNN_DATA_DOUBLE;

template <class Handle, auto create, auto destroy>
using CudnnObject = LibraryObject<Handle, create, destroy, require_cudnn>;
using CudnnHandle = CudnnObject<cudnnHandle_t, cudnnCreate, cudnnDestroy>;
using CudnnTensor = CudnnObject<cudnnTensorDescriptor_t, cudnnCreateTensorDescriptor, cudnnDestroyTensorDescriptor>;
using CudnnFilter = CudnnObject<cudnnFilterDescriptor_t, cudnnCreateFilterDescriptor, cudnnDestroyFilterDescriptor>;
using CudnnWindow =
    CudnnObject<cudnnConvolutionDescriptor_t, cudnnCreateConvolutionDescriptor, cudnnDestroyConvolutionDescriptor>;

/// The shapes of one convolution for a batch of `images`. cuDNN's weights are [OC, KH, KW, IC].
template <class T>
struct CudnnShapes {
  CudnnShapes(const ConvolutionProblem& problem, const int images) {
    const auto image = [&](const CudnnTensor& tensor, const ImageShape& shape) {
      require_cudnn(cudnnSetTensor4dDescriptor(tensor, CUDNN_TENSOR_NHWC, cudnn_type<T>, images, shape.channels,
                                               shape.height, shape.width),
                    "cudnnSetTensor4dDescriptor");
    };
    image(src, problem.src);
    image(dst, problem.dst);
    require_cudnn(cudnnSetTensor4dDescriptor(bias, CUDNN_TENSOR_NHWC, cudnn_type<T>, 1, problem.dst.channels, 1, 1),
                  "cudnnSetTensor4dDescriptor");
    require_cudnn(cudnnSetFilter4dDescriptor(weights, cudnn_type<T>, CUDNN_TENSOR_NHWC, problem.dst.channels,
                                             problem.src.channels, problem.taps, problem.taps),
                  "cudnnSetFilter4dDescriptor");
    const auto& [stride, pad] = problem.window;
    require_cudnn(
        cudnnSetConvolution2dDescriptor(window, pad, pad, stride, stride, 1, 1, CUDNN_CROSS_CORRELATION, cudnn_type<T>),
        "cudnnSetConvolution2dDescriptor");
    require_cudnn(cudnnSetConvolutionMathType(window, CUDNN_FMA_MATH), "cudnnSetConvolutionMathType");
  }

  CudnnTensor src;
  CudnnTensor dst;
  CudnnTensor bias;
  CudnnFilter weights;
  CudnnWindow window;
};

}  // namespace bcr::nn

#endif
