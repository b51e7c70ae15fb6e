#include "src/nn/layers/make_layer.hpp"

#include "src/core/instances.hpp"
#include "src/nn/layers/add_layer.hpp"
#include "src/nn/layers/batch_norm_layer.hpp"
#include "src/nn/layers/convolution_layer.hpp"
#include "src/nn/layers/linear_layer.hpp"
#include "src/nn/layers/pool_layers.hpp"

namespace bcr::nn {
namespace {

template <class Exec, class T>
struct Maker {
  const LayerFactory<Exec, T>& factory;
  const Operation& operation;
  using Result = std::unique_ptr<Layer<Exec, T>>;

  Result operator()(const Convolution&) const {
    auto layer = std::make_unique<ConvolutionLayer<Exec, T>>(factory.graph, operation, factory.parameters, factory.mode,
                                                             factory.most_images, factory.exec);
    factory.log.debug("network", "{}: {}", layer->problem().text(), layer->backend().description());
    return layer;
  }
  Result operator()(const BatchNorm&) const {
    return std::make_unique<BatchNormLayer<Exec, T>>(factory.graph, operation, factory.parameters, factory.statistics);
  }
  Result operator()(const Linear&) const {
    auto layer = std::make_unique<LinearLayer<Exec, T>>(factory.graph, operation, factory.parameters, factory.mode,
                                                        factory.most_images);
    factory.log.debug("network", "{}: {}", operation.name, layer->backend().description());
    return layer;
  }
  Result operator()(const MaxPool&) const { return std::make_unique<MaxPoolLayer<Exec, T>>(operation); }
  Result operator()(const GlobalAveragePool&) const {
    return std::make_unique<GlobalAveragePoolLayer<Exec, T>>(operation);
  }
  Result operator()(const Add&) const { return std::make_unique<AddLayer<Exec, T>>(operation); }
};

}  // namespace

template <class Exec, class T>
std::unique_ptr<Layer<Exec, T>> LayerFactory<Exec, T>::make(const Operation& operation) const {
  return std::visit(Maker<Exec, T>{*this, operation}, operation.kind);
}

#define BCR_INSTANCE(Exec, T) template struct LayerFactory<Exec, T>;
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::nn
