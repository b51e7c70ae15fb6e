#include "src/scale/measure/step_work.hpp"

namespace bcr::scale {
namespace {

struct OperationCounts {
  double values = 0;     ///< of sources and result, per image
  double gradients = 0;  ///< read and written in the backward pass, per image
  double weights = 0;    ///< numbers
};

OperationCounts count(const nn::Graph& graph, const nn::Operation& operation) {
  const auto src = static_cast<double>(graph.shape(operation.src).size());
  const auto dst = static_cast<double>(graph.shape(operation.dst).size());
  const auto addend = operation.addend == nn::no_value ? 0 : static_cast<double>(graph.shape(operation.addend).size());
  const double diff_src = operation.src == graph.input() ? 0 : src;  // nobody asks for the gradient of the images
  OperationCounts counts{src + dst + addend, dst + src + diff_src, 0};
  if (const auto* convolution = std::get_if<nn::Convolution>(&operation.kind)) {
    counts.gradients += dst;
    counts.weights =
        double(convolution->taps) * convolution->taps * graph.shape(operation.src).channels * convolution->channels;
  } else if (std::holds_alternative<nn::Linear>(operation.kind)) {
    counts.gradients += dst;
    counts.weights = src * dst;
  }
  return counts;
}

}  // namespace

StepWork step_work(const nn::Graph& graph, const StepShape& shape) {
  const auto [images, features, columns, parameters, scalar] = shape;
  StepWork work;
  const auto at = [&work](const train::Region region) -> RegionWork& { return work[static_cast<std::size_t>(region)]; };
  const auto pixels = static_cast<double>(graph.shape(graph.input()).size());
  const double products = graph.multiply_accumulates() * images;
  at(train::Region::data).bytes = images * pixels * (1 + scalar);
  for (const nn::Operation& operation : graph.operations()) {
    const OperationCounts counts = count(graph, operation);
    at(train::Region::forward).bytes += (counts.values * images + counts.weights) * scalar;
    at(train::Region::backward).bytes += (counts.gradients * images + 2 * counts.weights) * scalar;
  }
  at(train::Region::forward).multiply_accumulates = products;
  at(train::Region::backward).multiply_accumulates = 2 * products;
  at(train::Region::head) = {3 * images * features * columns,
                             4 * (images * features + columns * features + images * columns) * scalar};
  at(train::Region::update) = {3 * parameters, 5 * parameters * scalar};
  return work;
}

}  // namespace bcr::scale
