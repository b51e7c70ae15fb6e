#ifndef BCR_SRC_NN_BACKENDS_CUDA_HANDLES_HPP
#define BCR_SRC_NN_BACKENDS_CUDA_HANDLES_HPP

#include "src/core/error.hpp"
#include "src/nn/backends/library_object.hpp"

#include <cublas_v2.h>

#include <string_view>

namespace bcr::nn {

inline void require_cublas(const cublasStatus_t status, const std::string_view operation) {
  if (status != CUBLAS_STATUS_SUCCESS) throw BackendError(operation, "success", cublasGetStatusString(status));
}

/// A connection to cuBLAS on the current device, to be shared (shared_connection); products are in full precision,
/// never in TF32.
class CublasHandle {
 public:
  CublasHandle() { require_cublas(cublasSetMathMode(handle_, CUBLAS_PEDANTIC_MATH), "cublasSetMathMode"); }

  /// For calls on the stream of an execution space instance.
  cublasHandle_t on(const cudaStream_t stream) {
    require_cublas(cublasSetStream(handle_, stream), "cublasSetStream");
    return handle_;
  }

 private:
  LibraryObject<cublasHandle_t, cublasCreate, cublasDestroy, require_cublas> handle_;
};

/// The functions of cuBLAS that exist once per type, under one name.
inline cublasStatus_t gemm(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,
                           const float* alpha, const float* a, int lda, const float* b, int ldb, const float* beta,
                           float* c, int ldc) {
  return cublasSgemm(handle, op_a, op_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
inline cublasStatus_t gemm(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,
                           const double* alpha, const double* a, int lda, const double* b, int ldb, const double* beta,
                           double* c, int ldc) {
  return cublasDgemm(handle, op_a, op_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

/// dst [columns, rows] = src [rows, columns] turned, both row-major and packed.
inline cublasStatus_t transpose(cublasHandle_t handle, const int rows, const int columns, const float* const src,
                                float* const dst) {
  const float one = 1;
  const float zero = 0;
  return cublasSgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, rows, columns, &one, src, columns, &zero, nullptr, rows, dst,
                     rows);
}
inline cublasStatus_t transpose(cublasHandle_t handle, const int rows, const int columns, const double* const src,
                                double* const dst) {
  const double one = 1;
  const double zero = 0;
  return cublasDgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, rows, columns, &one, src, columns, &zero, nullptr, rows, dst,
                     rows);
}

}  // namespace bcr::nn

#endif
