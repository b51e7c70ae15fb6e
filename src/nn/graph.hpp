#ifndef BCR_SRC_NN_GRAPH_HPP
#define BCR_SRC_NN_GRAPH_HPP

#include "kernels/conv/window.hpp"
#include "kernels/norm/activation.hpp"
#include "src/nn/parameters.hpp"

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

namespace bcr::nn {

/// The extents of one image of a batch; a feature vector is an image of 1 x 1 pixels.
struct ImageShape {
  int height = 1;
  int width = 1;
  int channels = 1;

  std::size_t pixels() const { return static_cast<std::size_t>(height) * width; }
  std::size_t size() const { return pixels() * channels; }
  bool operator==(const ImageShape&) const = default;
};

/// What flows between operations: an index into Graph::values().
using ValueId = int;
inline constexpr ValueId no_value = -1;

using kernels::Activation;
enum class Bias { none, added };

struct Convolution {
  int channels = 1;
  int taps = 3;
  kernels::ConvolutionWindow window{.stride = 1, .pad = 1};
  Bias bias = Bias::none;
  Initializer initial{};
};

/// Normalisation by the statistics of the batch (training) or the running ones (inference), then the activation, then
/// dropout (training only).
struct BatchNorm {
  Activation activation = Activation::relu;
  double dropout = 0;
};

/// dst = activation(src W + b) on flattened images.
struct Linear {
  int channels = 1;
  Activation activation = Activation::none;
  Initializer initial{};
};

struct MaxPool {
  int taps = 2;
};

struct GlobalAveragePool {};

/// dst = activation(src + addend).
struct Add {
  Activation activation = Activation::none;
};

/// One step of a network. A convolution may have an addend too: it starts its sums there.
struct Operation {
  std::string name;
  std::variant<Convolution, BatchNorm, Linear, MaxPool, GlobalAveragePool, Add> kind;
  ValueId src = no_value;
  ValueId addend = no_value;
  ValueId dst = no_value;
};

/// What the backward pass of an operation reads besides the gradient of its result.
bool backward_reads_source(const Operation& operation);
bool backward_reads_result(const Operation& operation);
/// Whether the result is cheaper to compute a second time than to keep until the backward pass.
bool is_recomputed(const Operation& operation);

/// A network as a static list of operations in the order in which they run. Value 0 is the input; the result of the
/// last operation is the output. Mistakes throw a ShapeError that names the operation.
class Graph {
 public:
  explicit Graph(ImageShape input) : values_{input} {}

  ValueId input() const { return 0; }
  ValueId convolution(std::string name, ValueId src, const Convolution& settings, ValueId addend = no_value);
  ValueId batch_norm(std::string name, ValueId src, const BatchNorm& settings);
  ValueId linear(std::string name, ValueId src, const Linear& settings);
  ValueId max_pool(std::string name, ValueId src, const MaxPool& settings);
  ValueId global_average_pool(std::string name, ValueId src);
  /// src must have no other consumer: its gradient shares memory with that of the sum.
  ValueId add(std::string name, ValueId src, ValueId addend, Activation activation);

  const std::vector<Operation>& operations() const noexcept { return operations_; }
  const std::vector<ImageShape>& values() const noexcept { return values_; }
  const ImageShape& shape(ValueId value) const { return values_.at(value); }
  ValueId output() const { return static_cast<ValueId>(values_.size()) - 1; }

  /// Multiply-accumulates of convolutions and linear layers for one image.
  double multiply_accumulates() const;

 private:
  ValueId append(Operation operation, ImageShape shape);

  std::vector<ImageShape> values_;
  std::vector<Operation> operations_;
};

}  // namespace bcr::nn

#endif
