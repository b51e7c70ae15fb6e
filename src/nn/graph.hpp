#ifndef BCR_SRC_NN_GRAPH_HPP
#define BCR_SRC_NN_GRAPH_HPP

#include "src/nn/operation.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace bcr::nn {

/// A network as a static list of operations in the order in which they run, with named inputs and outputs. Operations are
/// appended by functions that stand beside their layers (src/nn/layers): `convolution(graph, "conv1", graph.input(),
/// {.channels = 16})`. Mistakes throw a ShapeError that names the operation.
class Graph {
 public:
  struct NamedValue {
    std::string name;
    ValueId value;
  };

  Graph() = default;
  /// The common case: one input, "images".
  explicit Graph(const ImageShape& images) { add_input("images", images); }

  /// All inputs come before the first operation. A sequence of L tokens has the shape {1, L, 1}.
  ValueId add_input(std::string name, const ImageShape& shape, Element element = Element::real);
  /// The first of its results.
  ValueId append(std::shared_ptr<Operation> operation);
  /// An output can be read after a pass, and receives a gradient from outside.
  void name_output(std::string name, ValueId value);

  ValueId input(const std::size_t index = 0) const { return inputs_.at(index).value; }
  const std::vector<NamedValue>& inputs() const noexcept { return inputs_; }
  /// A graph that names none has one: "features", the result of its last operation.
  std::vector<NamedValue> outputs() const;
  ValueId output(std::string_view name = "features") const;

  const std::vector<std::shared_ptr<const Operation>>& operations() const noexcept { return operations_; }
  const std::vector<Value>& values() const noexcept { return values_; }
  const ImageShape& shape(const ValueId value) const { return values_.at(value).shape; }
  bool is_output(ValueId value) const;
  /// How many read a value: sources of operations, and the outputs that it is.
  int consumers(ValueId value) const;
  /// The last operation that reads a value; its producer if there is none.
  int last_consumer(ValueId value) const;

  /// Of all products of a forward pass, for one sample.
  double multiply_accumulates() const;

 private:
  std::vector<Value> values_;
  std::vector<NamedValue> inputs_;
  std::vector<NamedValue> outputs_;
  std::vector<std::shared_ptr<const Operation>> operations_;
};

}  // namespace bcr::nn

#endif
