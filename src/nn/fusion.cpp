#include "src/nn/fusion.hpp"

#include <algorithm>
#include <numeric>

namespace bcr::nn {
namespace {

int consumers(const Graph& graph, const ValueId value) {
  return static_cast<int>(std::ranges::count_if(graph.operations(), [&](const Operation& operation) {
    return operation.src == value || operation.addend == value;
  }));
}

bool takes_norm(const Graph& graph, const std::size_t i) {
  const auto& operations = graph.operations();
  return i + 1 < operations.size() && std::holds_alternative<Convolution>(operations[i].kind) &&
         std::holds_alternative<BatchNorm>(operations[i + 1].kind) && operations[i + 1].src == operations[i].dst &&
         consumers(graph, operations[i].dst) == 1;
}

/// For a convolution that takes in its batch norm.
bool takes_add(const Graph& graph, const std::size_t i) {
  const auto& operations = graph.operations();
  if (i + 2 >= operations.size() || !std::holds_alternative<Add>(operations[i + 2].kind)) return false;
  const auto& norm = operations[i + 1];
  const auto& add = operations[i + 2];
  return std::get<BatchNorm>(norm.kind).activation == Activation::none && add.src == norm.dst &&
         consumers(graph, norm.dst) == 1 && add.addend < operations[i].dst;
}

}  // namespace

std::vector<int> find_fusions(const Graph& graph, const Folding folding) {
  std::vector<int> last(graph.operations().size());
  std::iota(last.begin(), last.end(), 0);
  if (folding == Folding::off) return last;
  for (std::size_t i = 0; i < last.size(); ++i)
    if (takes_norm(graph, i)) last[i] += takes_add(graph, i) ? 2 : 1;
  return last;
}

}  // namespace bcr::nn
