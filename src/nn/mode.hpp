#ifndef BCR_SRC_NN_MODE_HPP
#define BCR_SRC_NN_MODE_HPP

#include <array>
#include <string_view>
#include <utility>

namespace bcr::nn {

/// strict: the same bits on every backend, thread count, compiler and instruction set.
/// fast: convolutions by the library of the device's vendor where it is the quicker one; same algorithm, other rounding.
enum class Mode { strict, fast };

constexpr auto enum_names(Mode) {
  using namespace std::string_view_literals;
  return std::array{std::pair{"strict"sv, Mode::strict}, std::pair{"fast"sv, Mode::fast}};
}

/// What fast mode does where this build has no vendor's library for the device.
enum class Fallback { refuse, strict };

constexpr auto enum_names(Fallback) {
  using namespace std::string_view_literals;
  return std::array{std::pair{"refuse"sv, Fallback::refuse}, std::pair{"strict"sv, Fallback::strict}};
}

/// What fast mode makes the factors of convolutions and matrix products of. Sums, and all that is no such product, are
/// float or double in every case (docs/numerics.md).
enum class Precision {
  fp32,
  bf16,      ///< rounded to bf16 where that is the quicker way
  automatic  ///< bf16 if the processor multiplies pairs of them, else fp32
};

constexpr auto enum_names(Precision) {
  using namespace std::string_view_literals;
  return std::array{std::pair{"fp32"sv, Precision::fp32}, std::pair{"bf16"sv, Precision::bf16},
                    std::pair{"auto"sv, Precision::automatic}};
}

/// The section [fast] of a configuration.
struct FastOptions {
  Fallback fallback = Fallback::refuse;
  Precision precision = Precision::fp32;
};

template <class V>
void describe(V& v, FastOptions& o) {
  v("fallback", o.fallback, "without a library for convolutions on this device: refuse, or strict for its kernels");
  v("precision", o.precision, "of the factors of products: fp32, bf16, or auto: bf16 where the processor has it");
}

/// A ConfigError if fast mode would be the strict kernels under another name, and nobody asked for that.
template <class Exec>
void require_library(Mode mode, const FastOptions& options);

/// Whether fast mode on this execution space has products of bf16.
template <class Exec>
bool has_bf16();

/// fp32 or bf16: what the options mean here. A ConfigError for bf16 in strict mode, and where nothing computes it.
template <class Exec>
Precision resolved_precision(Mode mode, const FastOptions& options);

/// "fp32", "bf16".
std::string_view precision_name(Precision precision);

}  // namespace bcr::nn

#endif
