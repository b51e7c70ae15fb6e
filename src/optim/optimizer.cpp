#include "src/optim/optimizer.hpp"

#include "src/core/instances.hpp"

#include <cmath>
#include <utility>

namespace bcr::optim {

template <class Exec, class T>
Optimizer<Exec, T>::Optimizer(ParameterLayout layout, std::vector<std::string> buffer_names)
    : layout_(std::move(layout)), buffer_names_(std::move(buffer_names)) {
  check(layout_);
  for (const std::string& name : buffer_names_) {
    buffers_.emplace_back("bcr::optim::" + name, layout_.arena_size);  // Views start at zero
  }
  const std::vector<kernels::ParameterChunk> chunks = make_chunks(layout_);
  chunks_ = Vector<kernels::ParameterChunk, Exec>("bcr::optim::chunks", chunks.size());
  const Kokkos::View<const kernels::ParameterChunk*, Kokkos::LayoutRight, Kokkos::HostSpace> host(chunks.data(),
                                                                                                  chunks.size());
  Kokkos::deep_copy(chunks_, host);
}

template <class Exec, class T>
void Optimizer<Exec, T>::step(const Exec& exec, const double rate, ConstVector<T, Exec> diff_params,
                              Vector<T, Exec> params) {
  require_shape("optimizer step", "params", params, {layout_.arena_size});
  require_shape("optimizer step", "diff_params", diff_params, {layout_.arena_size});
  if (!std::isfinite(rate)) throw NumericsError("optimizer step", "a finite learning rate", std::to_string(rate));
  ++steps_done_;
  update(exec, rate, diff_params, params);
}

template <class Exec, class T>
std::vector<NamedState<Exec, T>> Optimizer<Exec, T>::state() const {
  std::vector<NamedState<Exec, T>> state;
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    for (const ParameterSlice& slice : layout_.slices) {
      const auto range = std::pair(slice.offset, slice.offset + slice.size);
      state.push_back({buffer_names_[i] + "/" + slice.name, Kokkos::subview(buffers_[i], range)});
    }
  }
  return state;
}

#define BCR_INSTANCE(Exec, T) template class Optimizer<Exec, T>;
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::optim
