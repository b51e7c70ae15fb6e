#ifndef BCR_SRC_COMM_NCCL_NAMES_HPP
#define BCR_SRC_COMM_NCCL_NAMES_HPP

// RCCL is NCCL with AMD's names for streams and events: one text for both, these names in place of either vendor's.
#ifdef BCR_WITH_RCCL
#include <hip/hip_runtime_api.h>
#include <rccl/rccl.h>
#else
#include <cuda_runtime_api.h>
#include <nccl.h>
#endif

namespace bcr::comm::gpu {

#ifdef BCR_WITH_RCCL
using Stream = hipStream_t;
using Event = hipEvent_t;
using Status = hipError_t;
using Attributes = hipPointerAttribute_t;
inline constexpr Status success = hipSuccess;
inline constexpr Status not_ready = hipErrorNotReady;
inline const char* text(const Status status) {
  return hipGetErrorString(status);
}
inline Status create(Stream* const stream) {
  return hipStreamCreateWithFlags(stream, hipStreamNonBlocking);
}
inline Status destroy(const Stream stream) {
  return hipStreamDestroy(stream);
}
inline Status create(Event* const event) {
  return hipEventCreateWithFlags(event, hipEventDisableTiming);
}
inline Status destroy(const Event event) {
  return hipEventDestroy(event);
}
inline Status record(const Event event, const Stream stream) {
  return hipEventRecord(event, stream);
}
inline Status query(const Event event) {
  return hipEventQuery(event);
}
inline bool is_device(const void* const pointer) {
  Attributes found{};
  return hipPointerGetAttributes(&found, pointer) == success && found.type == hipMemoryTypeDevice;
}
#else
using Stream = cudaStream_t;
using Event = cudaEvent_t;
using Status = cudaError_t;
using Attributes = cudaPointerAttributes;
inline constexpr Status success = cudaSuccess;
inline constexpr Status not_ready = cudaErrorNotReady;
inline const char* text(const Status status) {
  return cudaGetErrorString(status);
}
inline Status create(Stream* const stream) {
  return cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking);
}
inline Status destroy(const Stream stream) {
  return cudaStreamDestroy(stream);
}
inline Status create(Event* const event) {
  return cudaEventCreateWithFlags(event, cudaEventDisableTiming);
}
inline Status destroy(const Event event) {
  return cudaEventDestroy(event);
}
inline Status record(const Event event, const Stream stream) {
  return cudaEventRecord(event, stream);
}
inline Status query(const Event event) {
  return cudaEventQuery(event);
}
inline bool is_device(const void* const pointer) {
  Attributes found{};
  return cudaPointerGetAttributes(&found, pointer) == success && found.type == cudaMemoryTypeDevice;
}
#endif

}  // namespace bcr::comm::gpu

#endif
