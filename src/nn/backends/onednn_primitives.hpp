#ifndef BCR_SRC_NN_BACKENDS_ONEDNN_PRIMITIVES_HPP
#define BCR_SRC_NN_BACKENDS_ONEDNN_PRIMITIVES_HPP

#include "src/nn/convolution_backend.hpp"

#include <dnnl.hpp>

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <tuple>

namespace bcr::nn {

/// Memory objects of an engine, each of its own kind: `owned` with memory of its own, `borrowed` to be pointed at ours.
struct OnednnMemory {
  dnnl::memory (*owned)(const dnnl::memory::desc&, const dnnl::engine&);
  dnnl::memory (*borrowed)(const dnnl::memory::desc&, const dnnl::engine&);
};

/// The three directions of one convolution as oneDNN primitives: what its engines for the host's cores and for SYCL
/// devices have in common. Pointers must be memory that the engine reaches; everything is asynchronous on the stream.
/// The primitives of a batch size are made when it is met for the first time: in training that is once or twice.
class OnednnPrimitives {
 public:
  OnednnPrimitives(const ConvolutionProblem& problem, dnnl::engine engine, OnednnMemory memory);

  /// "oneDNN jit:avx2"
  std::string description(int images) const;

  /// The activation is applied last.
  void forward(dnnl::stream& stream, int images, kernels::ChainStart start, Activation activation, const float* src,
               const float* weights, const float* bias, float* dst);
  void backward_data(dnnl::stream& stream, int images, const float* diff_dst, const float* weights, float* diff_src);
  void backward_weights(dnnl::stream& stream, int images, const float* src, const float* diff_dst, float* diff_weights);

  /// Runs the body and translates what oneDNN throws.
  void guarded(std::string_view direction, const std::function<void()>& body) const;

 private:
  /// One direction for one batch: the primitive, and the reorder between canonical and preferred weights.
  struct Direction {
    dnnl::primitive primitive;
    dnnl::reorder reorder;
    dnnl::memory src;
    dnnl::memory dst;
    dnnl::memory bias;
    dnnl::memory canonical;
    dnnl::memory preferred;
  };

  dnnl::convolution_forward::primitive_desc forward_description(int images, kernels::ChainStart start,
                                                                Activation activation) const;
  Direction make_forward(int images, kernels::ChainStart start, Activation activation) const;
  Direction make_backward_data(int images) const;
  Direction make_backward_weights(int images) const;

  ConvolutionProblem problem_;
  dnnl::engine engine_;
  OnednnMemory memory_;
  std::map<std::tuple<int, kernels::ChainStart, Activation>, Direction> forward_;
  std::map<int, Direction> backward_data_;
  std::map<int, Direction> backward_weights_;
};

}  // namespace bcr::nn

#endif
