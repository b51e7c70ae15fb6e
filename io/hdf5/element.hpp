#ifndef BCR_IO_HDF5_ELEMENT_HPP
#define BCR_IO_HDF5_ELEMENT_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace bcr::io {

/// The number types our files hold. Files are little-endian; HDF5 converts where the machine is not.
enum class Element { u8, i32, i64, u64, f32, f64, other };

template <class T>
constexpr Element element_of() {
  using Plain = std::remove_cv_t<T>;
  if constexpr (std::is_same_v<Plain, std::uint8_t>) return Element::u8;
  if constexpr (std::is_same_v<Plain, std::int32_t>) return Element::i32;
  if constexpr (std::is_same_v<Plain, std::int64_t>) return Element::i64;
  if constexpr (std::is_same_v<Plain, std::uint64_t>) return Element::u64;
  if constexpr (std::is_same_v<Plain, float>) return Element::f32;
  if constexpr (std::is_same_v<Plain, double>) return Element::f64;
  return Element::other;
}

constexpr std::string_view element_name(const Element element) {
  switch (element) {
    case Element::u8:
      return "u8";
    case Element::i32:
      return "i32";
    case Element::i64:
      return "i64";
    case Element::u64:
      return "u64";
    case Element::f32:
      return "f32";
    case Element::f64:
      return "f64";
    case Element::other:
      break;
  }
  return "another type";
}

/// The SHA-256 of a chunk of rows of a dataset; a file keeps one for each of its chunks.
using Leaf = std::array<std::byte, 32>;

/// A type that HDF5 files can hold as numbers.
template <class T>
concept FileNumber = element_of<T>()
!= Element::other;

}  // namespace bcr::io

#endif
