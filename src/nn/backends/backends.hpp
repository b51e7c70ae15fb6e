#ifndef BCR_SRC_NN_BACKENDS_BACKENDS_HPP
#define BCR_SRC_NN_BACKENDS_BACKENDS_HPP

#include "src/nn/convolution_backend.hpp"
#include "src/nn/linear_backend.hpp"

#include <memory>

// Who computes convolutions and fully connected layers; registry.cpp has the order in which they are asked. Each
// factory but those of our own kernels is defined only in builds that have its library.
namespace bcr::nn {

/// The kernels of this project: every execution space, every shape, the same bits everywhere. Which algorithm computes
/// which direction follows from the shapes alone.
template <class Exec, class T>
std::unique_ptr<ConvolutionBackend<Exec, T>> make_strict_convolution(const ConvolutionProblem& problem,
                                                                     int most_images);

/// Our kernels with factors of bf16, Winograd's algorithm in all directions; null for what they do not compute.
template <class Exec, class T>
std::unique_ptr<ConvolutionBackend<Exec, T>> make_bf16_convolution(const ConvolutionProblem& problem, int most_images);

/// Each direction by the quickest of those that are there: the vendor's library, our kernels where Winograd's algorithm
/// saves more products than the library's better use of the machine could win back (16 in place of 36), or these with
/// factors of bf16 (null: fp32 is asked for, or they do not serve the problem).
template <class Exec, class T>
std::unique_ptr<ConvolutionBackend<Exec, T>> make_fast_convolution(const ConvolutionProblem& problem,
                                                                   std::unique_ptr<ConvolutionBackend<Exec, T>> library,
                                                                   std::unique_ptr<ConvolutionBackend<Exec, T>> strict,
                                                                   std::unique_ptr<ConvolutionBackend<Exec, T>> bf16);

/// oneDNN on the host's cores or, in a build for Kokkos::SYCL, on its device; null for what it does not compute there
/// (double, other spaces).
template <class Exec, class T>
std::unique_ptr<ConvolutionBackend<Exec, T>> make_onednn_convolution(const ConvolutionProblem& problem, int most_images,
                                                                     const Exec& exec);

/// "oneDNN 3.2.0, avx2".
std::string onednn_version();

/// The vendors' libraries that this build may ask in fast mode, "oneDNN, oneMKL"; "own kernels" without any.
std::string libraries_of_fast_mode();

/// cuDNN's convolutions on NVIDIA devices, on the stream of exec: full precision (no TF32), only algorithms whose
/// result does not change from run to run. nullptr for other execution spaces.
template <class Exec, class T>
std::unique_ptr<ConvolutionBackend<Exec, T>> make_cudnn_convolution(const ConvolutionProblem& problem, int most_images);

/// Convolutions of one tap, stride 1, on NVIDIA devices: matrix products of cuBLAS, on the stream of exec, with our
/// memory as it is. nullptr for other problems and execution spaces.
template <class Exec, class T>
std::unique_ptr<ConvolutionBackend<Exec, T>> make_cublas_convolution(const ConvolutionProblem& problem);

/// MIOpen's convolutions of floats on AMD devices, on the stream of exec: only solutions whose result does not change
/// from run to run. nullptr for doubles and other execution spaces.
template <class Exec, class T>
std::unique_ptr<ConvolutionBackend<Exec, T>> make_miopen_convolution(const ConvolutionProblem& problem,
                                                                     int most_images);

/// Convolutions of one tap, stride 1, on AMD devices: matrix products of rocBLAS, on the stream of exec, with our
/// memory as it is. nullptr for other problems and execution spaces.
template <class Exec, class T>
std::unique_ptr<ConvolutionBackend<Exec, T>> make_rocblas_convolution(const ConvolutionProblem& problem);

/// The kernels of this project: every execution space, the same bits everywhere.
template <class Exec, class T>
std::unique_ptr<LinearBackend<Exec, T>> make_strict_linear(const LinearProblem& problem);

/// oneMKL's gemm on the host's cores; null for devices.
template <class Exec, class T>
std::unique_ptr<LinearBackend<Exec, T>> make_mkl_linear();

/// "oneMKL 2026.2".
std::string mkl_version();

/// The products of a fully connected layer by the vendor's BLAS (cuBLAS, rocBLAS) on the stream of exec, with our
/// memory as it is. nullptr for other execution spaces.
template <class Exec, class T>
std::unique_ptr<LinearBackend<Exec, T>> make_device_linear();

}  // namespace bcr::nn

#endif
