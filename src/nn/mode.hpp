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

/// The section [fast] of a configuration.
struct FastOptions {
  Fallback fallback = Fallback::refuse;
};

template <class V>
void describe(V& v, FastOptions& o) {
  v("fallback", o.fallback, "without a library for convolutions on this device: refuse, or strict for its kernels");
}

/// A ConfigError if fast mode would be the strict kernels under another name, and nobody asked for that.
template <class Exec>
void require_library(Mode mode, const FastOptions& options);

}  // namespace bcr::nn

#endif
