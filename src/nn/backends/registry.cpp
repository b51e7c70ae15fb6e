#include "kernels/conv/bf16_pairs.hpp"
#include "src/core/error.hpp"
#include "src/core/instances.hpp"
#include "src/core/launch.hpp"
#include "src/nn/backends/backends.hpp"

namespace bcr::nn {
namespace {

// What this build has (CMakeLists.txt); what it has not is declared, and called nowhere.
constexpr bool with_onednn = BCR_WITH_ONEDNN;
constexpr bool with_mkl = BCR_WITH_MKL;
constexpr bool with_cublas = BCR_WITH_CUBLAS;
constexpr bool with_cudnn = BCR_WITH_CUDNN;
constexpr bool with_rocblas = BCR_WITH_ROCBLAS;
constexpr bool with_miopen = BCR_WITH_MIOPEN;
constexpr bool with_sycl = BCR_WITH_SYCL;  // then oneDNN computes on its device, not on the host

/// What a library makes of the problem; nothing if it says that it cannot, so that the next one is asked.
template <class Make>
auto if_able(const Make& make) -> decltype(make()) {
  try {
    return make();
  } catch (const BackendError&) {
    return nullptr;
  }
}

/// The first vendor's library that takes the problem, or nothing.
template <class Exec, class T>
std::unique_ptr<ConvolutionBackend<Exec, T>> make_library_convolution(const ConvolutionProblem& problem,
                                                                      const Precision precision, const int most_images,
                                                                      const Exec& exec) {
  if constexpr (with_cublas)
    if (auto library = make_cublas_convolution<Exec, T>(problem)) return library;
  if constexpr (with_cudnn)
    if (auto library = if_able([&] { return make_cudnn_convolution<Exec, T>(problem, most_images); })) return library;
  if constexpr (with_rocblas)
    if (auto library = make_rocblas_convolution<Exec, T>(problem)) return library;
  if constexpr (with_miopen)
    if (auto library = if_able([&] { return make_miopen_convolution<Exec, T>(problem, most_images); })) return library;
  if constexpr (with_onednn)
    if (auto library = if_able([&] { return make_onednn_convolution<Exec, T>(problem, most_images, exec); }))
      return make_fast_convolution<Exec, T>(
          problem, std::move(library), make_strict_convolution<Exec, T>(problem, most_images),
          precision == Precision::bf16 ? make_bf16_convolution<Exec, T>(problem, most_images) : nullptr);
  return nullptr;
}

}  // namespace

/// The ordered list: a vendor's library first, where the mode allows one; the strict kernels take whatever is left.
template <class Exec, class T>
std::unique_ptr<ConvolutionBackend<Exec, T>> make_convolution_backend(const ConvolutionProblem& problem,
                                                                      const Mode mode, const Precision precision,
                                                                      const int most_images, const Exec& exec) {
  if (mode == Mode::fast)
    if (auto library = make_library_convolution<Exec, T>(problem, precision, most_images, exec)) return library;
  return make_strict_convolution<Exec, T>(problem, most_images);
}

template <class Exec, class T>
std::unique_ptr<LinearBackend<Exec, T>> make_linear_backend(const LinearProblem& problem, const Mode mode) {
  if (mode == Mode::fast) {
    if constexpr (with_cublas || with_rocblas)
      if (auto library = make_device_linear<Exec, T>()) return library;
    if constexpr (with_mkl)
      if (auto library = make_mkl_linear<Exec, T>()) return library;
  }
  return make_strict_linear<Exec, T>(problem);
}

namespace {

void require_library_for(const std::string& work, const bool there, const Mode mode, const FastOptions& options) {
  require<ConfigError>(
      there || mode == Mode::strict || options.fallback == Fallback::strict, "mode = fast",
      "a build with a library for " + work + ", or fast.fallback = strict for the kernels of strict mode",
      "none (--version lists the libraries)");
}

}  // namespace

template <class Exec>
void require_library(const Mode mode, const FastOptions& options) {
  constexpr bool on_host = with_onednn && !with_sycl;
  constexpr bool on_device = with_cudnn || with_miopen || (with_onednn && with_sycl);
  require_library_for(std::string("convolutions on ") + Exec::name(), is_host_exec<Exec> ? on_host : on_device, mode,
                      options);
}

template <class Exec>
void require_linear_library(const Mode mode, const FastOptions& options) {
  constexpr bool on_device = with_cublas || with_rocblas;
  if (is_host_exec<Exec>) return;  // the GRU takes our products there, which are quicker
  require_library_for(std::string("matrix products on ") + Exec::name(), on_device, mode, options);
}

template <class Exec>
bool has_bf16() {
  return with_onednn && !with_sycl && is_host_exec<Exec> && kernels::multiplies_bf16_pairs;
}

template <class Exec>
Precision resolved_precision(const Mode mode, const FastOptions& options) {
  if (options.precision == Precision::automatic)
    return mode == Mode::fast && has_bf16<Exec>() ? Precision::bf16 : Precision::fp32;
  const bool asks = options.precision == Precision::bf16;
  require<ConfigError>(!asks || mode == Mode::fast, "fast.precision = bf16",
                       "mode = fast: the bits of strict mode are those of fp32", "mode = strict");
  require<ConfigError>(
      !asks || has_bf16<Exec>(), "fast.precision = bf16",
      std::string("a build with oneDNN for a processor with AVX512_BF16, on its cores; else fp32 or auto"),
      std::string("none of that for ") + Exec::name());
  return options.precision;
}

std::string_view precision_name(const Precision precision) {
  for (const auto& [name, value] : enum_names(precision))
    if (value == precision) return name;
  return "";
}

#define BCR_INSTANCE(Exec)                                              \
  template void require_library<Exec>(Mode, const FastOptions&);        \
  template void require_linear_library<Exec>(Mode, const FastOptions&); \
  template bool has_bf16<Exec>();                                       \
  template Precision resolved_precision<Exec>(Mode, const FastOptions&);
BCR_FOR_EACH_EXEC(BCR_INSTANCE)
#undef BCR_INSTANCE

std::string libraries_of_fast_mode() {
  std::string names;
  const auto add = [&names](const bool with, const std::string_view name) {
    if (with) names.append(names.empty() ? "" : ", ").append(name);
  };
  add(with_onednn, "oneDNN");
  add(with_mkl, "oneMKL");
  add(with_cublas, "cuBLAS");
  add(with_cudnn, "cuDNN");
  add(with_rocblas, "rocBLAS");
  add(with_miopen, "MIOpen");
  return names.empty() ? "own kernels" : names;
}

#define BCR_INSTANCE(Exec, T)                                                              \
  template std::unique_ptr<ConvolutionBackend<Exec, T>> make_convolution_backend<Exec, T>( \
      const ConvolutionProblem&, Mode, Precision, int, const Exec&);                       \
  template std::unique_ptr<LinearBackend<Exec, T>> make_linear_backend<Exec, T>(const LinearProblem&, Mode);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::nn
