#include "src/nn/graph.hpp"

#include <algorithm>
#include <array>

namespace bcr::nn {
namespace {

void require_new(const std::vector<Graph::NamedValue>& list, const std::string& name) {
  const bool is_new = std::ranges::none_of(list, [&](const auto& named) { return named.name == name; });
  require<ShapeError>(is_new, "Graph", "every name of an input or output once", name);
}

}  // namespace

std::string ImageShape::text() const {
  const auto extent = [](const int value) { return static_cast<std::size_t>(value); };
  return shape_text(std::array{extent(height), extent(width), extent(channels)});
}

OperationWork Operation::traffic() const {
  OperationWork work;
  for (const ImageShape& result : result_shapes_) {
    work.values += static_cast<double>(result.size());
    work.gradients += static_cast<double>(result.size());
  }
  for (std::size_t i = 0; i < source_values_.size(); ++i) {
    const auto size = static_cast<double>(source_values_[i].shape.size());
    work.values += size;
    if (i == 0 || gradient_of(i) == SourceGradient::computed)
      work.gradients += source_values_[i].is_input() ? size : 2 * size;
  }
  return work;
}

ValueId Graph::add_input(std::string name, const ImageShape& shape, const Element element) {
  require<ShapeError>(operations_.empty(), "Graph", "inputs before operations", "input " + name);
  require<ShapeError>(shape.size() > 0, "Graph", "an input " + name + " with positive extents", shape.text());
  require_new(inputs_, name);
  values_.push_back({shape, element});
  inputs_.push_back({std::move(name), static_cast<ValueId>(values_.size()) - 1});
  return inputs_.back().value;
}

ValueId Graph::append(std::shared_ptr<Operation> operation) {
  for (std::size_t i = 0; i < operation->sources().size(); ++i) {
    const ValueId source = operation->sources()[i];
    require<ShapeError>(source >= 0 && source < static_cast<ValueId>(values_.size()), operation->name(),
                        "sources that were made before", "an unknown value");
    require<ShapeError>(values_[source].element == operation->source_element(i), operation->name(),
                        "real sources, or tokens where it asks for them", "the other as source " + std::to_string(i));
    operation->source_values_.push_back(values_[source]);
  }
  operation->result_shapes_ = operation->infer();
  for (const ImageShape& shape : operation->result_shapes_) {
    operation->results_.push_back(static_cast<ValueId>(values_.size()));
    values_.push_back({shape, Element::real, static_cast<int>(operations_.size())});
  }
  operations_.push_back(std::move(operation));
  return operations_.back()->result();
}

void Graph::name_output(std::string name, const ValueId value) {
  require<ShapeError>(value >= 0 && value < static_cast<ValueId>(values_.size()) && !values_[value].is_input(), "Graph",
                      "the result of an operation as output " + name, "another value");
  require_new(outputs_, name);
  outputs_.push_back({std::move(name), value});
}

std::vector<Graph::NamedValue> Graph::outputs() const {
  if (!outputs_.empty() || operations_.empty()) return outputs_;
  return {{"features", operations_.back()->result()}};
}

ValueId Graph::output(const std::string_view name) const {
  for (const NamedValue& output : outputs())
    if (output.name == name) return output.value;
  throw ShapeError("Graph", "an output of the graph", std::string(name));
}

bool Graph::is_output(const ValueId value) const {
  return std::ranges::any_of(outputs(), [&](const NamedValue& output) { return output.value == value; });
}

int Graph::consumers(const ValueId value) const {
  auto count = std::ranges::count_if(outputs_, [&](const NamedValue& output) { return output.value == value; });
  for (const auto& operation : operations_) count += std::ranges::count(operation->sources(), value);
  return static_cast<int>(count);
}

int Graph::last_consumer(const ValueId value) const {
  int last = values_.at(value).producer;
  for (int i = last + 1; i < static_cast<int>(operations_.size()); ++i)
    if (std::ranges::count(operations_[i]->sources(), value) > 0) last = i;
  return last;
}

double Graph::multiply_accumulates() const {
  double total = 0;
  for (const auto& operation : operations_) total += operation->work().multiply_accumulates;
  return total;
}

}  // namespace bcr::nn
