#include "src/train/model_state.hpp"

#include "src/core/instances.hpp"

#include <algorithm>
#include <array>

namespace bcr::train {
namespace {

constexpr std::string_view parameters = "parameters/";
constexpr std::string_view statistics = "statistics/";
constexpr std::string_view optimizer_buffers = "optimizer/";

template <class Exec>
std::vector<float> to_host(const Exec& exec, const Vector<float, Exec>& values) {
  std::vector<float> host(values.size());
  const Kokkos::View<float*, Kokkos::LayoutRight, Kokkos::HostSpace, Kokkos::MemoryUnmanaged> view(host.data(),
                                                                                                   host.size());
  Kokkos::deep_copy(exec, view, values);
  exec.fence("bcr::train::to_host");
  return host;
}

template <class Exec, class T>
void to_device(const Exec& exec, const std::vector<float>& host, const Vector<T, Exec>& values) {
  const std::vector<T> converted(host.begin(), host.end());
  const Kokkos::View<const T*, Kokkos::LayoutRight, Kokkos::HostSpace, Kokkos::MemoryUnmanaged> view(converted.data(),
                                                                                                     converted.size());
  Kokkos::deep_copy(exec, values, view);
  exec.fence("bcr::train::to_device");
}

template <class Exec>
void save_store(const Exec& exec, const nn::ParameterStore<Exec, float>& store, const std::string_view prefix,
                std::vector<io::NamedTensor>& tensors) {
  for (std::size_t id = 0; id < store.specs().size(); ++id) {
    const nn::ParameterSpec& spec = store.specs()[id];
    tensors.push_back({std::string(prefix) + spec.name, spec.extents, to_host(exec, store.values(int(id)))});
  }
}

template <class Exec, class T>
void restore_store(const Exec& exec, const io::Checkpoint& checkpoint, const std::string_view file,
                   const std::string_view prefix, const nn::ParameterStore<Exec, T>& store) {
  for (std::size_t id = 0; id < store.specs().size(); ++id) {
    const nn::ParameterSpec& spec = store.specs()[id];
    const io::NamedTensor& tensor = checkpoint.tensor(std::string(prefix) + spec.name, spec.extents, file);
    to_device<Exec, T>(exec, tensor.values, store.values(int(id)));
  }
}

template <class Exec>
void restore_shared_store(const Exec& exec, const io::Checkpoint& checkpoint, const std::string_view prefix,
                          const nn::ParameterStore<Exec, float>& store, SharedTensors& shared) {
  for (std::size_t id = 0; id < store.specs().size(); ++id) {
    const nn::ParameterSpec& spec = store.specs()[id];
    const auto found = std::ranges::find_if(checkpoint.tensors, [&](const io::NamedTensor& tensor) {
      return tensor.name == std::string(prefix) + spec.name && tensor.extents == spec.extents;
    });
    if (found == checkpoint.tensors.end()) {
      shared.missing.push_back(spec.name);
      continue;
    }
    to_device<Exec, float>(exec, found->values, store.values(int(id)));
    ++shared.taken;
  }
}

}  // namespace

template <class Exec>
std::vector<io::NamedTensor> save_model(const Exec& exec, const models::Model<Exec, float>& model) {
  std::vector<io::NamedTensor> tensors;
  save_store(exec, model.parameters(), parameters, tensors);
  save_store(exec, model.statistics(), statistics, tensors);
  return tensors;
}

template <class Exec>
void save_optimizer(const Exec& exec, const optim::Optimizer<Exec, float>& optimizer,
                    std::vector<io::NamedTensor>& tensors) {
  for (const auto& [name, values] : optimizer.state())
    tensors.push_back({std::string(optimizer_buffers) + name, {values.size()}, to_host<Exec>(exec, values)});
}

template <class Exec, class T>
void restore_model(const Exec& exec, const io::Checkpoint& checkpoint, const std::string_view file,
                   models::Model<Exec, T>& model) {
  restore_store(exec, checkpoint, file, parameters, model.parameters());
  restore_store(exec, checkpoint, file, statistics, model.statistics());
}

template <class Exec>
SharedTensors restore_shared(const Exec& exec, const io::Checkpoint& checkpoint, models::Model<Exec, float>& model) {
  SharedTensors shared;
  restore_shared_store(exec, checkpoint, parameters, model.parameters(), shared);
  restore_shared_store(exec, checkpoint, statistics, model.statistics(), shared);
  return shared;
}

template <class Exec>
void restore_optimizer(const Exec& exec, const io::Checkpoint& checkpoint, const std::string_view file,
                       optim::Optimizer<Exec, float>& optimizer) {
  require<IoError>(checkpoint.optimizer == optimizer.name(), "checkpoint " + std::string(file),
                   "the state of " + std::string(optimizer.name()), "that of " + checkpoint.optimizer);
  for (const auto& [name, values] : optimizer.state()) {
    const std::array<std::size_t, 1> extents{values.size()};
    const io::NamedTensor& tensor = checkpoint.tensor(std::string(optimizer_buffers) + name, extents, file);
    to_device<Exec, float>(exec, tensor.values, values);
  }
  optimizer.set_steps_done(checkpoint.optimizer_steps);
}

std::string weights_sha256(const std::vector<io::NamedTensor>& tensors) {
  return io::sha256_of(tensors, std::array{parameters, statistics});
}

#define BCR_INSTANCE(Exec)                                                                                             \
  template std::vector<io::NamedTensor> save_model<Exec>(const Exec&, const models::Model<Exec, float>&);              \
  template void save_optimizer<Exec>(const Exec&, const optim::Optimizer<Exec, float>&, std::vector<io::NamedTensor>&); \
  template SharedTensors restore_shared<Exec>(const Exec&, const io::Checkpoint&, models::Model<Exec, float>&);        \
  template void restore_optimizer<Exec>(const Exec&, const io::Checkpoint&, std::string_view,                          \
                                        optim::Optimizer<Exec, float>&);
BCR_FOR_EACH_EXEC(BCR_INSTANCE)
#undef BCR_INSTANCE
#define BCR_INSTANCE(Exec, T) \
  template void restore_model<Exec, T>(const Exec&, const io::Checkpoint&, std::string_view, models::Model<Exec, T>&);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::train
