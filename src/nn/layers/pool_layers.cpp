#include "src/nn/layers/pool_layers.hpp"

#include "kernels/pool/average_pool.hpp"
#include "kernels/pool/max_pool.hpp"
#include "src/core/instances.hpp"

namespace bcr::nn {
namespace {

template <class Views>
void require_only_consumer(const std::string& name, const Views& views) {
  require<ShapeError>(views.diff_src_start == kernels::ChainStart::zero, name, "a source without another consumer",
                      "one whose gradient has several parts");
}

}  // namespace

template <class Exec, class T>
MaxPoolLayer<Exec, T>::MaxPoolLayer(const Operation& operation)
    : name_(operation.name), taps_(std::get<MaxPool>(operation.kind).taps) {}

template <class Exec, class T>
void MaxPoolLayer<Exec, T>::forward(const Exec& exec, const PassInfo&, const ForwardViews<Exec, T>& views,
                                    const Workspace<Exec, T>&) {
  kernels::max_pool_forward<Exec, T>(exec, {.kernel = taps_, .stride = taps_}, views.src, views.dst);
}

template <class Exec, class T>
void MaxPoolLayer<Exec, T>::backward(const Exec& exec, const PassInfo&, const BackwardViews<Exec, T>& views,
                                     const Workspace<Exec, T>&) {
  if (views.diff_src.data() == nullptr) return;
  require_only_consumer(name_, views);
  kernels::max_pool_backward<Exec, T>(exec, {.kernel = taps_, .stride = taps_}, views.src, views.diff_dst,
                                      views.diff_src);
}

template <class Exec, class T>
GlobalAveragePoolLayer<Exec, T>::GlobalAveragePoolLayer(const Operation& operation) : name_(operation.name) {}

template <class Exec, class T>
void GlobalAveragePoolLayer<Exec, T>::forward(const Exec& exec, const PassInfo&, const ForwardViews<Exec, T>& views,
                                              const Workspace<Exec, T>&) {
  kernels::global_average_pool_forward<Exec, T>(exec, views.src, as_images<Exec, T>(views.dst));
}

template <class Exec, class T>
void GlobalAveragePoolLayer<Exec, T>::backward(const Exec& exec, const PassInfo&, const BackwardViews<Exec, T>& views,
                                               const Workspace<Exec, T>&) {
  if (views.diff_src.data() == nullptr) return;
  require_only_consumer(name_, views);
  kernels::global_average_pool_backward<Exec, T>(exec, as_images<Exec, T>(views.diff_dst), views.diff_src);
}

#define BCR_INSTANCE(Exec, T)            \
  template class MaxPoolLayer<Exec, T>; \
  template class GlobalAveragePoolLayer<Exec, T>;
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::nn
