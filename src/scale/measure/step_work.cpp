#include "src/scale/measure/step_work.hpp"

namespace bcr::scale {
namespace {

RegionWork& at(StepWork& work, const train::Region region) {
  return work[static_cast<std::size_t>(region)];
}

}  // namespace

StepWork step_work(const nn::Graph& graph, const StepShape& shape) {
  const auto [images, features, columns, parameters, scalar] = shape;
  StepWork work = head_work(shape);
  const auto pixels = static_cast<double>(graph.shape(graph.input()).size());
  const double products = graph.multiply_accumulates() * images;
  at(work, train::Region::data).bytes = images * pixels * (1 + scalar);
  for (const auto& operation : graph.operations()) {
    const nn::OperationWork counts = operation->work();
    at(work, train::Region::forward).bytes += (counts.values * images + counts.weights) * scalar;
    at(work, train::Region::backward).bytes += (counts.gradients * images + 2 * counts.weights) * scalar;
  }
  at(work, train::Region::forward).multiply_accumulates = products;
  at(work, train::Region::backward).multiply_accumulates = 2 * products;
  at(work, train::Region::update) = {3 * parameters, 5 * parameters * scalar};
  return work;
}

StepWork inference_work(const nn::Graph& graph, const StepShape& shape) {
  const auto [images, features, columns, parameters, scalar] = shape;
  StepWork work{};
  at(work, train::Region::data).bytes = images * static_cast<double>(graph.shape(graph.input()).size()) * (1 + scalar);
  RegionWork& forward = at(work, train::Region::forward);
  for (const auto& operation : graph.operations()) {
    const nn::OperationWork counts = operation->work();
    forward.bytes += (counts.values * images + counts.weights) * scalar;
  }
  forward.bytes += (images * features + columns * features + images * columns) * scalar;
  forward.multiply_accumulates = graph.multiply_accumulates() * images + images * features * columns;
  return work;
}

StepWork head_work(const StepShape& shape) {
  const auto [images, features, columns, parameters, scalar] = shape;
  StepWork work{};
  at(work, train::Region::head) = {3 * images * features * columns,
                                   4 * (images * features + columns * features + images * columns) * scalar};
  return work;
}

StepWork loss_work(const StepShape& shape) {
  StepWork work{};
  at(work, train::Region::head) = {shape.images * shape.columns, 2 * shape.images * shape.columns * shape.scalar_bytes};
  return work;
}

}  // namespace bcr::scale
