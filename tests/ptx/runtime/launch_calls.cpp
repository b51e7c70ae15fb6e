// The calls by which code from nvcc announces and launches its kernels. Signatures: crt/host_runtime.h of the toolkit.
#include "tests/ptx/runtime/cost_ledger.hpp"
#include "tests/ptx/runtime/loaded_program.hpp"

#include <cuda_runtime_api.h>

#include <vector>

namespace {

using bcr::test::ptx::LoadedProgram;

LoadedProgram::Unit* unit_of(void** const handle) {
  return reinterpret_cast<LoadedProgram::Unit*>(handle);
}

struct CallConfiguration {
  dim3 grid;
  dim3 threads;
  std::size_t shared;
  cudaStream_t stream;
};

std::vector<CallConfiguration>& pending_calls() {
  static std::vector<CallConfiguration> calls;
  return calls;
}

cudaError_t run(const void* const stub, const dim3 grid, const dim3 threads, void** const arguments,
                const std::size_t shared) {
  auto& program = LoadedProgram::instance();
  const bcr::test::ptx::Launch launch{
      .grid = {grid.x, grid.y, grid.z}, .threads = {threads.x, threads.y, threads.z}, .dynamic_shared = shared};
  auto& ledger = bcr::test::ptx::CostLedger::instance();
  if (ledger.samples())
    ledger.launch(program, stub, launch, arguments);
  else
    run_kernel(program.kernel(stub), program.memory, launch, arguments);
  return cudaSuccess;
}

}  // namespace

extern "C" {

void** __cudaRegisterFatBinary(void* announced) {
  return reinterpret_cast<void**>(LoadedProgram::instance().add_unit(announced));
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}

void __cudaRegisterFunction(void** handle, const char* stub, char*, const char* name, int, uint3*, uint3*, dim3*, dim3*,
                            int*) {
  LoadedProgram::instance().add_kernel(unit_of(handle), stub, name);
}

void __cudaRegisterVar(void** handle, char* shadow, char*, const char* name, int, std::size_t, int, int) {
  LoadedProgram::instance().add_variable(unit_of(handle), shadow, name);
}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 threads, std::size_t shared, cudaStream_t stream) {
  pending_calls().push_back({grid, threads, shared, stream});
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* threads, std::size_t* shared, void* stream) {
  const CallConfiguration call = pending_calls().back();
  pending_calls().pop_back();
  *grid = call.grid;
  *threads = call.threads;
  *shared = call.shared;
  *static_cast<cudaStream_t*>(stream) = call.stream;
  return cudaSuccess;
}

/// A kernel's handle is its stub.
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* stub) {
  *kernel = static_cast<cudaKernel_t>(const_cast<void*>(stub));
  return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 threads, void** arguments, std::size_t shared,
                               cudaStream_t) {
  return run(kernel, grid, threads, arguments, shared);
}

cudaError_t cudaLaunchKernel(const void* stub, dim3 grid, dim3 threads, void** arguments, std::size_t shared,
                             cudaStream_t) {
  return run(stub, grid, threads, arguments, shared);
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* stub) {
  const auto& program = LoadedProgram::instance().kernel(stub);
  *attributes = {};
  attributes->sharedSizeBytes = program.shared_size;
  attributes->localSizeBytes = program.local_size;
  attributes->maxThreadsPerBlock = 1024;
  attributes->numRegs = 64;  // PTX has none of its own; the usual number
  attributes->maxDynamicSharedSizeBytes = 48 * 1024;
  attributes->ptxVersion = attributes->binaryVersion = 80;
  return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void*, cudaFuncAttribute, int) {
  return cudaSuccess;
}
}
