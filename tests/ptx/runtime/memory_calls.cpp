// The calls of the CUDA runtime that own and copy memory. Everything is done when it returns: a legal order of events.
#include "tests/ptx/runtime/cost_ledger.hpp"
#include "tests/ptx/runtime/loaded_program.hpp"

#include <cuda_runtime_api.h>

#include <cstring>

namespace {

bcr::test::ptx::DeviceMemory& memory() {
  return bcr::test::ptx::LoadedProgram::instance().memory;
}

cudaError_t allocate(void** const address, const std::size_t size) {
  *address = memory().allocate(size);
  return cudaSuccess;
}

cudaError_t release(void* const address) {
  if (address != nullptr) memory().release(address);
  return cudaSuccess;
}

bool is_device_memory(const void* const address) {
  return memory().holds(reinterpret_cast<std::uint64_t>(address), 1);
}

/// The direction that was asked for must be the true one.
cudaError_t copy(void* const to, const void* const from, const std::size_t size, const cudaMemcpyKind kind) {
  if (size == 0) return cudaSuccess;
  const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  if ((to_device && !is_device_memory(to)) || (from_device && !is_device_memory(from)))
    throw bcr::test::ptx::Error("a copy of device memory with a pointer to host memory");
  std::memcpy(to, from, size);
  return cudaSuccess;
}

}  // namespace

extern "C" {

cudaError_t cudaMalloc(void** address, std::size_t size) {
  return allocate(address, size);
}
cudaError_t cudaMallocManaged(void** address, std::size_t size, unsigned) {
  return allocate(address, size);
}
/// Pinned memory of the host: kernels may touch it.
cudaError_t cudaMallocHost(void** address, std::size_t size) {
  return allocate(address, size);
}
cudaError_t cudaHostAlloc(void** address, std::size_t size, unsigned) {
  return allocate(address, size);
}
cudaError_t cudaFree(void* address) {
  return release(address);
}
cudaError_t cudaFreeHost(void* address) {
  return release(address);
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t size, cudaMemcpyKind kind) {
  return copy(to, from, size, kind);
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t size, cudaMemcpyKind kind, cudaStream_t) {
  return copy(to, from, size, kind);
}

cudaError_t cudaMemcpyToSymbol(const void* shadow, const void* from, std::size_t size, std::size_t offset,
                               cudaMemcpyKind) {
  void* const place = bcr::test::ptx::LoadedProgram::instance().variable(shadow);
  if (place != nullptr) std::memcpy(static_cast<std::byte*>(place) + offset, from, size);
  return cudaSuccess;
}
cudaError_t cudaMemcpyToSymbolAsync(const void* shadow, const void* from, std::size_t size, std::size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t) {
  return cudaMemcpyToSymbol(shadow, from, size, offset, kind);
}

cudaError_t cudaMemset(void* address, int value, std::size_t size) {
  auto& ledger = bcr::test::ptx::CostLedger::instance();
  if (ledger.samples())
    ledger.fill(size);
  else
    std::memset(address, value, size);
  return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void* address, int value, std::size_t size, cudaStream_t) {
  return cudaMemset(address, value, size);
}

cudaError_t cudaMemPrefetchAsync(const void*, std::size_t, cudaMemLocation, unsigned, cudaStream_t) {
  return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* address) {
  *attributes = {};
  attributes->type = is_device_memory(address) ? cudaMemoryTypeDevice : cudaMemoryTypeUnregistered;
  return cudaSuccess;
}
}
