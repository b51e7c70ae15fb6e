#include "src/nn/parameters.hpp"

#include "kernels/fill/fill_random.hpp"
#include "src/core/instances.hpp"

#include <functional>
#include <numeric>

namespace bcr::nn {
namespace {

constexpr std::size_t parameter_alignment = 16;  // elements: 64 bytes of float

template <class Exec, class T>
void initialise(const Exec& exec, const ParameterSpec& spec, const std::uint64_t seed, const Vector<T, Exec>& values) {
  const Stream stream("init/" + spec.name);
  switch (spec.initial.fill) {
    case Fill::zero: break;  // allocated as zeros
    case Fill::one: Kokkos::deep_copy(exec, values, T(1)); break;
    case Fill::constant: Kokkos::deep_copy(exec, values, T(spec.initial.scale)); break;
    case Fill::normal: kernels::fill_normal(exec, seed, stream, spec.initial.scale, values); break;
    case Fill::uniform: kernels::fill_uniform(exec, seed, stream, spec.initial.scale, values); break;
  }
  if (spec.initial.zero_row < 0) return;
  const std::size_t columns = spec.extents.back();
  const std::size_t first = static_cast<std::size_t>(spec.initial.zero_row) * columns;
  Kokkos::deep_copy(exec, Kokkos::subview(values, Kokkos::pair(first, first + columns)), T(0));
}

}  // namespace

template <class Exec, class T>
int ParameterStore<Exec, T>::add(ParameterSpec spec) {
  require<ShapeError>(values_.data() == nullptr, "ParameterStore", "tensors added before allocate()", spec.name);
  for (const ParameterSlice& slice : slices_)
    require<ConfigError>(slice.name != spec.name, "ParameterStore", "every name once", spec.name);
  const std::size_t size =
      std::accumulate(spec.extents.begin(), spec.extents.end(), std::size_t{1}, std::multiplies<>());
  slices_.push_back({spec.name, size_, size, spec.group});
  specs_.push_back(std::move(spec));
  size_ += (size + parameter_alignment - 1) / parameter_alignment * parameter_alignment;
  return static_cast<int>(specs_.size()) - 1;
}

template <class Exec, class T>
void ParameterStore<Exec, T>::allocate(const Exec& exec, const std::uint64_t seed) {
  values_ = Vector<T, Exec>(Kokkos::view_alloc(exec, "bcr::nn::parameters"), size_);
  if (keeps_ == Gradients::kept) gradients_ = Vector<T, Exec>(Kokkos::view_alloc(exec, "bcr::nn::gradients"), size_);
  for (std::size_t id = 0; id < specs_.size(); ++id)
    initialise<Exec, T>(exec, specs_[id], seed, values(static_cast<int>(id)));
}

template <class Exec, class T>
void ParameterStore<Exec, T>::use_gradients(const Vector<T, Exec>& gradients) {
  require_shape("ParameterStore::use_gradients", "gradients", gradients, {gradients_.extent(0)});
  gradients_ = gradients;
}

template <class Exec, class T>
std::size_t ParameterStore<Exec, T>::count() const {
  std::size_t total = 0;
  for (const ParameterSlice& slice : slices_) total += slice.size;
  return total;
}

template <class Exec, class T>
Vector<T, Exec> ParameterStore<Exec, T>::slice(const Vector<T, Exec>& flat, const int id) const {
  const ParameterSlice& place = slices_.at(id);
  return Kokkos::subview(flat, Kokkos::pair(place.offset, place.offset + place.size));
}

template <class Exec, class T>
Matrix<T, Exec> ParameterStore<Exec, T>::as_matrix(const Vector<T, Exec>& flat, const int id) const {
  const ParameterSpec& spec = specs_.at(id);
  require<ShapeError>(spec.extents.size() == 2, "ParameterStore", spec.name + " of rank 2", shape_text(spec.extents));
  return Matrix<T, Exec>(slice(flat, id).data(), spec.extents[0], spec.extents[1]);
}

template <class Exec, class T>
Tensor4<T, Exec> ParameterStore<Exec, T>::as_tensor(const Vector<T, Exec>& flat, const int id) const {
  const ParameterSpec& spec = specs_.at(id);
  require<ShapeError>(spec.extents.size() == 4, "ParameterStore", spec.name + " of rank 4", shape_text(spec.extents));
  return Tensor4<T, Exec>(slice(flat, id).data(), spec.extents[0], spec.extents[1], spec.extents[2], spec.extents[3]);
}

#define BCR_INSTANCE(Exec, T) template class ParameterStore<Exec, T>;
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::nn
