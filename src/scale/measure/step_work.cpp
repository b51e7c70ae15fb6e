#include "src/scale/measure/step_work.hpp"

namespace bcr::scale {
StepWork step_work(const nn::Graph& graph, const StepShape& shape) {
  const auto [images, features, columns, parameters, scalar] = shape;
  StepWork work;
  const auto at = [&work](const train::Region region) -> RegionWork& { return work[static_cast<std::size_t>(region)]; };
  const auto pixels = static_cast<double>(graph.shape(graph.input()).size());
  const double products = graph.multiply_accumulates() * images;
  at(train::Region::data).bytes = images * pixels * (1 + scalar);
  for (const auto& operation : graph.operations()) {
    const nn::OperationWork counts = operation->work();
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
