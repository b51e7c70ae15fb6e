#ifndef BCR_SRC_NN_BACKENDS_ROCBLAS_HANDLE_HPP
#define BCR_SRC_NN_BACKENDS_ROCBLAS_HANDLE_HPP

#include "src/core/error.hpp"
#include "src/nn/backends/library_object.hpp"

#include <rocblas/rocblas.h>

#include <string_view>

namespace bcr::nn {

inline void require_rocblas(const rocblas_status status, const std::string_view operation) {
  if (status != rocblas_status_success) throw BackendError(operation, "success", rocblas_status_to_string(status));
}

/// A connection to rocBLAS on the current device, to be shared (shared_connection). Sums never meet in atomics, so that
/// a product gives the same bits from run to run, and are in full precision, never in XF32.
class RocblasHandle {
 public:
  RocblasHandle() {
    // Deprecated is the default that this call departs from, not the call.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
    require_rocblas(rocblas_set_atomics_mode(handle_, rocblas_atomics_not_allowed), "rocblas_set_atomics_mode");
#pragma clang diagnostic pop
    require_rocblas(rocblas_set_math_mode(handle_, rocblas_default_math), "rocblas_set_math_mode");
  }

  /// For calls on the stream of an execution space instance.
  rocblas_handle on(const hipStream_t stream) {
    require_rocblas(rocblas_set_stream(handle_, stream), "rocblas_set_stream");
    return handle_;
  }

 private:
  LibraryObject<rocblas_handle, rocblas_create_handle, rocblas_destroy_handle, require_rocblas> handle_;
};

/// dst [columns, rows] = src [rows, columns] turned, both row-major and packed.
inline rocblas_status transpose(rocblas_handle handle, const int rows, const int columns, const float* const src,
                                float* const dst) {
  const float one = 1;
  const float zero = 0;
  return rocblas_sgeam(handle, rocblas_operation_transpose, rocblas_operation_none, rows, columns, &one, src, columns,
                       &zero, dst, rows, dst, rows);
}

}  // namespace bcr::nn

#endif
