#include "src/core/error.hpp"
#include "src/core/instances.hpp"
#include "src/nn/backends/cublas_convolution.hpp"
#include "src/nn/backends/cudnn_convolution.hpp"
#include "src/nn/backends/fast_convolution.hpp"
#include "src/nn/backends/miopen_convolution.hpp"
#include "src/nn/backends/onednn_convolution.hpp"
#include "src/nn/backends/rocblas_convolution.hpp"
#include "src/nn/backends/strict_convolution.hpp"

namespace bcr::nn {
namespace {

/// What a library makes of the problem; nothing if it says that it cannot, so that the next one is asked.
template <class Make>
auto if_able(const Make& make) -> decltype(make()) {
  try {
    return make();
  } catch (const BackendError&) {
    return nullptr;
  }
}

}  // namespace

/// The ordered list: a vendor's library first, where the mode allows one; the strict kernels take whatever is left.
template <class Exec, class T>
std::unique_ptr<ConvolutionBackend<Exec, T>> make_convolution_backend(const ConvolutionProblem& problem,
                                                                      const Mode mode, const int most_images,
                                                                      const Exec& exec) {
  if (mode == Mode::fast) {
    if (auto library = make_cublas_convolution<Exec, T>(problem)) return library;
    if (auto library = if_able([&] { return make_cudnn_convolution<Exec, T>(problem, most_images); })) return library;
    if (auto library = make_rocblas_convolution<Exec, T>(problem)) return library;
    if (auto library = if_able([&] { return make_miopen_convolution<Exec, T>(problem, most_images); })) return library;
    if (auto library = if_able([&] { return make_onednn_convolution<Exec, T>(problem, most_images, exec); }))
      return make_fast_convolution<Exec, T>(problem, std::move(library),
                                            make_strict_convolution<Exec, T>(problem, most_images));
  }
  return make_strict_convolution<Exec, T>(problem, most_images);
}

#define BCR_INSTANCE(Exec, T)                                                                                        \
  template std::unique_ptr<ConvolutionBackend<Exec, T>> make_convolution_backend<Exec, T>(const ConvolutionProblem&, \
                                                                                          Mode, int, const Exec&);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::nn
