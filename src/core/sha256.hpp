#ifndef BCR_SRC_CORE_SHA256_HPP
#define BCR_SRC_CORE_SHA256_HPP

#include <Kokkos_Core.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace bcr {

using Sha256Digest = std::array<std::byte, 32>;

/// "e3b0c442...": 64 digits.
std::string to_hex(const Sha256Digest& digest);

/// SHA-256 (FIPS 180-4) of bytes that come in any number of pieces. Uses the SHA instructions of x86 if the processor
/// has them, with the same result.
class Sha256 {
 public:
  /// The 64-byte blocks are hashed by the fastest code of this machine, or by portable C++ (to compare the two).
  enum class Code { fastest, portable };
  explicit Sha256(Code code = Code::fastest);

  Sha256& update(std::span<const std::byte> bytes);
  Sha256& update(std::string_view text) { return update(std::as_bytes(std::span(text.data(), text.size()))); }

  /// The digest of everything so far; more may follow.
  Sha256Digest digest() const;

 private:
  using State = std::array<std::uint32_t, 8>;
  using Compress = void (*)(State&, const std::byte* blocks, std::size_t count);

  Compress compress_;
  State state_;
  std::array<std::byte, 64> pending_{};
  std::uint64_t length_ = 0;  // bytes so far; the last length_ % 64 of them are pending
};

/// The hexadecimal digest of a text or of bytes.
std::string sha256_hex(std::string_view text);
std::string sha256_hex(std::span<const std::byte> bytes);

/// Adds an array: its type and shape as text, "float32[3, 4]\n", then its elements in row-major order, little-endian.
/// So arrays of equal bytes but different shapes or types have different digests.
void update_with_array(Sha256& hash, std::string_view type, std::span<const std::size_t> extents,
                       std::span<const std::byte> elements);

/// "float32", "int64", "uint8", ...
template <class T>
constexpr std::string_view element_type_name() {
  using U = std::remove_const_t<T>;
  if constexpr (std::is_same_v<U, float>) return "float32";
  if constexpr (std::is_same_v<U, double>) return "float64";
  constexpr std::string_view names[2][4] = {{"uint8", "uint16", "uint32", "uint64"},
                                            {"int8", "int16", "int32", "int64"}};
  if constexpr (std::is_integral_v<U>) return names[std::is_signed_v<U>][std::bit_width(sizeof(U)) - 1];
  static_assert(std::is_arithmetic_v<U>, "hash_view hashes arrays of numbers");
  return "";
}

/// Adds a host View of contiguous row-major elements.
template <class View>
void hash_view(Sha256& hash, const View& view) {
  static_assert(Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename View::memory_space>::accessible,
                "hash_view needs a View in host memory: copy it with Kokkos::create_mirror_view_and_copy");
  static_assert(View::rank() <= 1 || std::is_same_v<typename View::array_layout, Kokkos::LayoutRight>,
                "hash_view needs a row-major View");
  static_assert(std::endian::native == std::endian::little, "hash_view hashes little-endian elements");
  using T = typename View::value_type;
  std::array<std::size_t, View::rank()> extents{};
  for (std::size_t i = 0; i < View::rank(); ++i) extents[i] = view.extent(i);
  const auto elements = std::as_bytes(std::span<const T>(view.data(), view.size()));
  update_with_array(hash, element_type_name<T>(), extents, elements);
}

/// The hexadecimal digest of one host View.
template <class View>
std::string sha256_hex_of_view(const View& view) {
  Sha256 hash;
  hash_view(hash, view);
  return to_hex(hash.digest());
}

}  // namespace bcr

#endif
