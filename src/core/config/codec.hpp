#ifndef BCR_SRC_CORE_CONFIG_CODEC_HPP
#define BCR_SRC_CORE_CONFIG_CODEC_HPP

#include "src/core/config/value.hpp"

#include <concepts>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

/// How the C++ types of options travel to and from configuration values. For each type T
///   decode(value, option)   sets the option, or returns false and leaves it if the value is no T;
///   encode(option)          is the value that decodes to the same option;
///   kind(T)                 says in words what a T is.
/// Types: bool, integers, float, double, std::string, std::filesystem::path, enums, and vectors and optionals of these.
namespace bcr::codec {

/// An enum is an option once its namespace has
///   constexpr auto enum_names(Mode) { return std::array{std::pair{"fast"sv, Mode::fast}, ...}; }
template <class T>
concept NamedEnum = std::is_enum_v<T> && requires(const T value) {
  enum_names(value);
};

template <class T>
concept Integer = std::integral<T> && !std::same_as<T, bool> && !std::same_as<T, char>;

/// The type of the option a call of kind() asks about.
template <class T>
struct Type {};

bool decode(const ConfigValue& value, bool& option);
bool decode(const ConfigValue& value, double& option);
bool decode(const ConfigValue& value, float& option);
bool decode(const ConfigValue& value, std::string& option);
bool decode(const ConfigValue& value, std::filesystem::path& option);

ConfigValue encode(bool option);
ConfigValue encode(std::int64_t option);
ConfigValue encode(std::uint64_t option);  ///< Throws ConfigError from 2^63 on, which TOML cannot hold.
ConfigValue encode(double option);
ConfigValue encode(float option);  ///< As the shortest decimal number that rounds to this float.
ConfigValue encode(const std::string& option);
ConfigValue encode(const std::filesystem::path& option);

inline std::string kind(Type<bool>) {
  return "a boolean";
}
inline std::string kind(Type<double>) {
  return "a number";
}
inline std::string kind(Type<float>) {
  return "a number";
}
inline std::string kind(Type<std::string>) {
  return "a string";
}
inline std::string kind(Type<std::filesystem::path>) {
  return "a path";
}

template <Integer T>
bool decode(const ConfigValue& value, T& option) {
  const auto* const integer = std::get_if<std::int64_t>(&value.data);
  if (integer == nullptr || !std::in_range<T>(*integer)) return false;
  option = static_cast<T>(*integer);
  return true;
}

template <Integer T>
ConfigValue encode(const T option) {
  return encode(static_cast<std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>(option));
}

template <Integer T>
std::string kind(Type<T>) {
  const std::string bits = sizeof(T) < 8 ? " of " + std::to_string(8 * sizeof(T)) + " bits" : "";
  return (std::is_signed_v<T> ? "an integer" : "a non-negative integer") + bits;
}

template <NamedEnum T>
bool decode(const ConfigValue& value, T& option) {
  std::string word;
  if (!decode(value, word)) return false;
  for (const auto& [name, named] : enum_names(T{})) {
    if (word == name) {
      option = named;
      return true;
    }
  }
  return false;
}

template <NamedEnum T>
ConfigValue encode(const T option) {
  for (const auto& [name, named] : enum_names(T{})) {
    if (named == option) return encode(std::string(name));
  }
  return encode(std::string());
}

template <NamedEnum T>
std::string kind(Type<T>) {
  std::string names;
  for (const auto& [name, named] : enum_names(T{})) names += (names.empty() ? "" : ", ") + std::string(name);
  return "one of {" + names + "}";
}

// Declared before either is defined, so that a vector of optionals and the like find each other.
template <class T>
bool decode(const ConfigValue& value, std::vector<T>& option);
template <class T>
ConfigValue encode(const std::vector<T>& option);

template <class T>
bool decode(const ConfigValue& value, std::optional<T>& option) {
  T given{};
  if (!decode(value, given)) return false;
  option = std::move(given);
  return true;
}

template <class T>
std::string kind(Type<std::vector<T>>) {
  return "an array, each element " + kind(Type<T>());
}

template <class T>
std::string kind(Type<std::optional<T>>) {
  return kind(Type<T>());
}

template <class T>
bool decode(const ConfigValue& value, std::vector<T>& option) {
  const auto* const array = std::get_if<ConfigValue::Array>(&value.data);
  if (array == nullptr) return false;
  std::vector<T> elements;
  for (const ConfigValue& item : *array) {
    T element{};
    if (!decode(item, element)) return false;
    elements.push_back(std::move(element));
  }
  option = std::move(elements);
  return true;
}

template <class T>
ConfigValue encode(const std::vector<T>& option) {
  ConfigValue value;
  auto& array = value.data.emplace<ConfigValue::Array>();
  for (const T& element : option) array.push_back(encode(element));
  return value;
}

/// The value of an option, or nothing for an empty optional.
template <class T>
std::optional<ConfigValue> encode_if_set(const T& option) {
  return encode(option);
}
template <class T>
std::optional<ConfigValue> encode_if_set(const std::optional<T>& option) {
  return option ? std::optional<ConfigValue>(encode(*option)) : std::nullopt;
}

/// True for what decode can read: everything else is a section.
template <class T>
concept Leaf = requires(const ConfigValue& value, T& option) {
  decode(value, option);
};

}  // namespace bcr::codec

#endif
