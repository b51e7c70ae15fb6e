#ifndef BCR_TESTS_PTX_SCALAR_TYPE_HPP
#define BCR_TESTS_PTX_SCALAR_TYPE_HPP

#include "tests/ptx/error.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

namespace bcr::test::ptx {

/// The fundamental types of PTX that our kernels use. Half precision and packed types are not among them.
enum class ScalarType { pred, b8, b16, b32, b64, u8, u16, u32, u64, s8, s16, s32, s64, f32, f64 };

constexpr std::optional<ScalarType> scalar_type(const std::string_view name) {
  constexpr std::string_view names[] = {"pred", "b8", "b16", "b32", "b64", "u8",  "u16", "u32",
                                        "u64",  "s8", "s16", "s32", "s64", "f32", "f64"};
  for (std::size_t i = 0; i < std::size(names); ++i)
    if (names[i] == name) return static_cast<ScalarType>(i);
  return std::nullopt;
}

/// Calls use(value) with a value of the C++ type of a PTX one: bits are unsigned integers, a predicate a byte.
template <class Use>
auto with_type(const ScalarType type, const Use& use) {
  switch (type) {
    case ScalarType::pred:
    case ScalarType::b8:
    case ScalarType::u8:
      return use(std::uint8_t{});
    case ScalarType::b16:
    case ScalarType::u16:
      return use(std::uint16_t{});
    case ScalarType::b32:
    case ScalarType::u32:
      return use(std::uint32_t{});
    case ScalarType::b64:
    case ScalarType::u64:
      return use(std::uint64_t{});
    case ScalarType::s8:
      return use(std::int8_t{});
    case ScalarType::s16:
      return use(std::int16_t{});
    case ScalarType::s32:
      return use(std::int32_t{});
    case ScalarType::s64:
      return use(std::int64_t{});
    case ScalarType::f32:
      return use(float{});
    case ScalarType::f64:
      break;
  }
  return use(double{});
}

inline std::size_t size_of(const ScalarType type) {
  return with_type(type, [](const auto value) { return sizeof(value); });
}

/// A register is 64 bits wide here, whatever its declared type; an instruction reads the low bits its own type has.
template <class T>
constexpr T from_register(const std::uint64_t bits) {
  if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<double>(bits);
  else if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  else
    return static_cast<T>(bits);
}

/// Signed integers are extended by their sign, everything else by zeros. The NaN that a single-precision instruction
/// makes is always 0x7fffffff (PTX ISA, "Floating-Point Comparisons"); other NaN pass as they are.
template <class T>
constexpr std::uint64_t to_register(const T value) {
  if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<std::uint64_t>(value);
  else if constexpr (std::is_same_v<T, float>)
    return value != value ? 0x7fffffffu : std::bit_cast<std::uint32_t>(value);
  else
    return static_cast<std::uint64_t>(value);
}

}  // namespace bcr::test::ptx

#endif
