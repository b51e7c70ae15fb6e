#include "src/nn/backends/backends.hpp"

#include "kernels/linear/linear.hpp"
#include "src/core/instances.hpp"
#include "src/core/launch.hpp"
#include "src/nn/backends/openmp_threads.hpp"

#include <fmt/format.h>
#include <mkl_cblas.h>
#include <mkl_service.h>

#include <algorithm>

namespace bcr::nn {
namespace {

using kernels::ChainStart;

/// A row-major operand of gemm, as it is or transposed.
template <class T>
struct Operand {
  const T* data;
  std::size_t columns;
  CBLAS_TRANSPOSE transpose;
};

/// dst [rows, columns] = a b + beta dst with `inner` products per entry.
template <class T>
void gemm(const Operand<T>& a, const Operand<T>& b, const std::size_t inner, const T beta, T* const dst,
          const std::size_t rows, const std::size_t columns) {
  const auto size = [](const std::size_t extent) { return static_cast<MKL_INT>(extent); };
  const auto stride = [](const std::size_t extent) { return std::max<MKL_INT>(static_cast<MKL_INT>(extent), 1); };
  const auto call = [&](const auto function) {
    function(CblasRowMajor, a.transpose, b.transpose, size(rows), size(columns), size(inner), T(1), a.data,
             stride(a.columns), b.data, stride(b.columns), beta, dst, stride(columns));
  };
  if constexpr (std::is_same_v<T, float>) {
    call(cblas_sgemm);
  } else {
    call(cblas_dgemm);
  }
}

template <class View>
auto operand(const View& view, const CBLAS_TRANSPOSE transpose = CblasNoTrans) {
  return Operand<typename View::non_const_value_type>{view.data(), view.extent(1), transpose};
}

/// oneMKL knows no execution space: what was launched before is done, and the threads are those of Kokkos.
class ReadyFor {
 public:
  template <class Exec>
  explicit ReadyFor(const Exec& exec) : threads_(exec) {
    exec.fence("bcr::nn::mkl_linear");
  }

 private:
  ThreadsOf threads_;
};

template <class Exec, class T>
class MklLinear : public LinearBackend<Exec, T> {
 public:
  std::string description() const override { return "oneMKL"; }
  std::size_t workspace_size() const override { return 0; }

  void forward(const Exec& exec, const ConstMatrix<T, Exec> src, const ConstMatrix<T, Exec> weights,
               const ConstVector<T, Exec> bias, const Matrix<T, Exec> dst, const Vector<T, Exec>) override {
    const bool has_bias = bias.extent(0) > 0;
    if (has_bias) kernels::fill_rows<Exec, T>(exec, bias, dst);
    const ReadyFor mkl(exec);
    gemm<T>(operand(src), operand(weights, CblasTrans), src.extent(1), has_bias ? T(1) : T(0), dst.data(),
            dst.extent(0), dst.extent(1));
  }
  void backward_data(const Exec& exec, const ConstMatrix<T, Exec> diff_dst, const ConstMatrix<T, Exec> weights,
                     const ChainStart start, const Matrix<T, Exec> diff_src, const Vector<T, Exec>) override {
    const ReadyFor mkl(exec);
    gemm<T>(operand(diff_dst), operand(weights), diff_dst.extent(1), start == ChainStart::dst ? T(1) : T(0),
            diff_src.data(), diff_src.extent(0), diff_src.extent(1));
  }
  void backward_weights(const Exec& exec, const ConstMatrix<T, Exec> src, const ConstMatrix<T, Exec> diff_dst,
                        const Matrix<T, Exec> diff_weights, const Vector<T, Exec>) override {
    const ReadyFor mkl(exec);
    gemm<T>(operand(diff_dst, CblasTrans), operand(src), src.extent(0), T(0), diff_weights.data(),
            diff_weights.extent(0), diff_weights.extent(1));
  }
};

}  // namespace

template <class Exec, class T>
std::unique_ptr<LinearBackend<Exec, T>> make_mkl_linear() {
  if constexpr (is_host_exec<Exec>) {
    return std::make_unique<MklLinear<Exec, T>>();
  } else {
    return nullptr;
  }
}

std::string mkl_version() {
  MKLVersion version;
  mkl_get_version(&version);
  return fmt::format("oneMKL {}.{}", version.MajorVersion, version.MinorVersion);
}

#define BCR_INSTANCE(Exec, T) template std::unique_ptr<LinearBackend<Exec, T>> make_mkl_linear<Exec, T>();
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::nn
