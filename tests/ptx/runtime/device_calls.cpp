// The calls of the CUDA runtime about devices, streams and events. One device, of the kind sm_80; one stream is as good
// as another, because everything is done when it returns.
#include <cuda.h>
#include <cuda_runtime_api.h>

#include <cstring>

namespace {

/// Something with an address of its own.
int a_handle = 0;

}  // namespace

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
  return device == 0 ? cudaSuccess : cudaErrorInvalidDevice;
}
cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}

/// The limits that a launch asks about, those of an A100.
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
  *properties = {};
  std::strcpy(properties->name, "PTX executor of the tests");
  properties->major = 8;
  properties->minor = 0;
  properties->totalGlobalMem = std::size_t{4} << 30;
  properties->sharedMemPerBlock = 48 * 1024;
  properties->sharedMemPerBlockOptin = 163 * 1024;
  properties->sharedMemPerMultiprocessor = 164 * 1024;
  properties->regsPerBlock = properties->regsPerMultiprocessor = 65536;
  properties->warpSize = 32;
  properties->maxThreadsPerBlock = 1024;
  properties->maxThreadsPerMultiProcessor = 2048;
  properties->maxBlocksPerMultiProcessor = 32;
  properties->multiProcessorCount = 108;
  properties->maxThreadsDim[0] = properties->maxThreadsDim[1] = 1024;
  properties->maxThreadsDim[2] = 64;
  properties->maxGridSize[0] = 2147483647;
  properties->maxGridSize[1] = properties->maxGridSize[2] = 65535;
  properties->unifiedAddressing = properties->managedMemory = properties->concurrentManagedAccess = 1;
  properties->canMapHostMemory = 1;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr, int) {
  *value = 0;
  return cudaErrorNotSupported;
}
cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit) {
  *value = std::size_t{1} << 20;
  return cudaSuccess;
}
cudaError_t cudaDeviceSetLimit(cudaLimit, std::size_t) {
  return cudaSuccess;
}
cudaError_t cudaDeviceSynchronize() {
  return cudaSuccess;
}

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  *stream = reinterpret_cast<cudaStream_t>(&a_handle);
  return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t) {
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t) {
  return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  *event = reinterpret_cast<cudaEvent_t>(&a_handle);
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t) {
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) {
  return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t) {
  return cudaSuccess;
}

cudaError_t cudaGetLastError() {
  return cudaSuccess;
}
const char* cudaGetErrorName(cudaError_t error) {
  return error == cudaSuccess ? "cudaSuccess" : "an error of the PTX executor";
}
const char* cudaGetErrorString(cudaError_t error) {
  return cudaGetErrorName(error);
}

// Of the driver: by these Kokkos learns the device of a stream.
CUresult cuStreamGetCtx(CUstream, CUcontext* context) {
  *context = reinterpret_cast<CUcontext>(&a_handle);
  return CUDA_SUCCESS;
}
CUresult cuCtxPushCurrent_v2(CUcontext) {
  return CUDA_SUCCESS;
}
CUresult cuCtxGetDevice(CUdevice* device) {
  *device = 0;
  return CUDA_SUCCESS;
}
}
