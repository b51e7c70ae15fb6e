#include "src/nn/graph.hpp"

#include <algorithm>
#include <array>

namespace bcr::nn {
namespace {

std::string text(const ImageShape& shape) {
  const std::array<std::size_t, 3> extents{static_cast<std::size_t>(shape.height),
                                           static_cast<std::size_t>(shape.width),
                                           static_cast<std::size_t>(shape.channels)};
  return shape_text(extents);
}

ImageShape convolved(const std::string& name, const ImageShape& src, const Convolution& settings) {
  const ImageShape dst{settings.window.outputs(src.height, settings.taps),
                       settings.window.outputs(src.width, settings.taps), settings.channels};
  if (dst.size() == 0) throw ShapeError(name, "images larger than the window", text(src));
  return dst;
}

}  // namespace

bool backward_reads_source(const Operation& operation) {
  return !std::holds_alternative<GlobalAveragePool>(operation.kind) && !std::holds_alternative<Add>(operation.kind);
}

bool backward_reads_result(const Operation& operation) {
  if (const auto* add = std::get_if<Add>(&operation.kind)) return add->activation == Activation::relu;
  if (const auto* linear = std::get_if<Linear>(&operation.kind)) return linear->activation == Activation::relu;
  return false;
}

bool is_recomputed(const Operation& operation) {
  return std::holds_alternative<BatchNorm>(operation.kind);
}

ValueId Graph::append(Operation operation, const ImageShape shape) {
  const auto known = [&](const ValueId value) { return value >= 0 && value < static_cast<ValueId>(values_.size()); };
  require<ShapeError>(known(operation.src), operation.name, "a source that was made before", "an unknown value");
  require<ShapeError>(operation.addend == no_value || known(operation.addend), operation.name,
                      "an addend that was made before", "an unknown value");
  if (operation.addend != no_value && values_[operation.addend] != shape)
    throw ShapeError(operation.name, "an addend of shape " + text(shape), text(values_[operation.addend]));
  operation.dst = static_cast<ValueId>(values_.size());
  operations_.push_back(std::move(operation));
  values_.push_back(shape);
  return operations_.back().dst;
}

ValueId Graph::convolution(std::string name, const ValueId src, const Convolution& settings, const ValueId addend) {
  require<ShapeError>(addend == no_value || settings.bias == Bias::none, name, "an addend or a bias", "both");
  const ImageShape dst = convolved(name, shape(src), settings);
  return append({std::move(name), settings, src, addend, no_value}, dst);
}

ValueId Graph::batch_norm(std::string name, const ValueId src, const BatchNorm& settings) {
  require<ConfigError>(settings.dropout >= 0 && settings.dropout < 1, name, "a dropout rate in [0, 1)",
                       std::to_string(settings.dropout));
  return append({std::move(name), settings, src, no_value, no_value}, shape(src));
}

ValueId Graph::linear(std::string name, const ValueId src, const Linear& settings) {
  return append({std::move(name), settings, src, no_value, no_value}, {1, 1, settings.channels});
}

ValueId Graph::max_pool(std::string name, const ValueId src, const MaxPool& settings) {
  const auto [height, width, channels] = shape(src);
  if (height % settings.taps != 0 || width % settings.taps != 0)
    throw ShapeError(name, "a height and width that " + std::to_string(settings.taps) + " divides", text(shape(src)));
  return append({std::move(name), settings, src, no_value, no_value},
                {height / settings.taps, width / settings.taps, channels});
}

ValueId Graph::global_average_pool(std::string name, const ValueId src) {
  return append({std::move(name), GlobalAveragePool{}, src, no_value, no_value}, {1, 1, shape(src).channels});
}

ValueId Graph::add(std::string name, const ValueId src, const ValueId addend, const Activation activation) {
  const bool alone = std::none_of(operations_.begin(), operations_.end(), [&](const Operation& other) {
    return other.src == src || other.addend == src;
  });
  require<ShapeError>(alone && src != addend, name, "a source without another consumer", "a value that is used twice");
  return append({std::move(name), Add{activation}, src, addend, no_value}, shape(src));
}

double Graph::multiply_accumulates() const {
  double total = 0;
  for (const auto& operation : operations_) {
    const auto& src = shape(operation.src);
    const auto& dst = shape(operation.dst);
    if (const auto* convolution = std::get_if<Convolution>(&operation.kind))
      total += static_cast<double>(dst.size()) * convolution->taps * convolution->taps * src.channels;
    if (std::holds_alternative<Linear>(operation.kind))
      total += static_cast<double>(src.size()) * static_cast<double>(dst.size());
  }
  return total;
}

}  // namespace bcr::nn
