#include "src/nn/layers/add_layer.hpp"

#include "kernels/norm/add_activated.hpp"
#include "kernels/norm/elementwise.hpp"
#include "src/core/instances.hpp"

namespace bcr::nn {

template <class Exec, class T>
AddLayer<Exec, T>::AddLayer(const Operation& operation) : activation_(std::get<Add>(operation.kind).activation) {}

template <class Exec, class T>
void AddLayer<Exec, T>::forward(const Exec& exec, const PassInfo&, const ForwardViews<Exec, T>& views,
                                const Workspace<Exec, T>&) {
  const auto dst = flat<Exec, T>(views.dst);
  kernels::add_activated<Exec, T>(exec, flat<Exec, T>(views.src), flat<Exec, T>(views.addend), activation_, dst);
}

template <class Exec, class T>
void AddLayer<Exec, T>::backward(const Exec& exec, const PassInfo&, const BackwardViews<Exec, T>& views,
                                 const Workspace<Exec, T>&) {
  if (activation_ == Activation::none) return;
  const auto diff = flat<Exec, T>(views.diff_dst);
  kernels::relu_backward<Exec, T>(exec, flat<Exec, T>(views.dst), diff, diff);
}

#define BCR_INSTANCE(Exec, T) template class AddLayer<Exec, T>;
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::nn
