#ifndef BCR_SRC_NN_CONVOLUTION_BACKEND_HPP
#define BCR_SRC_NN_CONVOLUTION_BACKEND_HPP

#include "kernels/conv/convolution_algorithm.hpp"
#include "kernels/conv/epilogue.hpp"
#include "src/nn/graph.hpp"
#include "src/nn/mode.hpp"

#include <cstddef>
#include <memory>
#include <string>

namespace bcr::nn {

/// One convolution of a network, without its batch size.
struct ConvolutionProblem {
  std::string name;
  ImageShape src;
  ImageShape dst;
  int taps = 3;
  kernels::ConvolutionWindow window;

  /// "conv1: 3x3 stride 1, [32, 32, 16] -> [32, 32, 32]", for messages.
  std::string text() const;
  kernels::ConvolutionShape shape() const;
};

/// Who computes a convolution: the whole of what a vendor's library must offer. Images are NHWC, weights [KH, KW, IC,
/// OC]; what a library prefers inside is its own affair. Everything is asynchronous on exec and accepts any batch up to
/// the one it was made for.
template <class Exec, class T>
class ConvolutionBackend {
 public:
  virtual ~ConvolutionBackend() = default;

  /// What was chosen, for the log: "winograd", "direct", "onednn jit:avx2", ...
  virtual std::string description() const = 0;
  /// Elements of workspace that any of the calls below needs.
  virtual std::size_t workspace_size() const = 0;

  virtual void forward(const Exec& exec, ConstTensor4<T, Exec> src, ConstTensor4<T, Exec> weights,
                       ConstVector<T, Exec> bias, kernels::ChainStart start, Tensor4<T, Exec> dst,
                       Vector<T, Exec> workspace) = 0;
  /// With what follows the convolution in inference; here in passes of their own, for libraries that cannot do better.
  virtual void forward_with_epilogue(const Exec& exec, ConstTensor4<T, Exec> src, ConstTensor4<T, Exec> weights,
                                     ConstVector<T, Exec> bias, kernels::ChainStart start, Tensor4<T, Exec> dst,
                                     const kernels::Epilogue<Exec, T>& epilogue, Vector<T, Exec> workspace);
  virtual void backward_data(const Exec& exec, ConstTensor4<T, Exec> diff_dst, ConstTensor4<T, Exec> weights,
                             kernels::ChainStart start, Tensor4<T, Exec> diff_src, Vector<T, Exec> workspace) = 0;
  virtual void backward_weights(const Exec& exec, ConstTensor4<T, Exec> src, ConstTensor4<T, Exec> diff_dst,
                                Tensor4<T, Exec> diff_weights, Vector<T, Exec> workspace) = 0;
};

/// The first of the ordered list (src/nn/backends/registry.cpp) that takes the problem; the last one takes all.
template <class Exec, class T>
std::unique_ptr<ConvolutionBackend<Exec, T>> make_convolution_backend(const ConvolutionProblem& problem, Mode mode,
                                                                      Precision precision, int most_images,
                                                                      const Exec& exec);

}  // namespace bcr::nn

#endif
