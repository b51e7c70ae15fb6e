#include "src/core/config/codec.hpp"

#include "src/core/error.hpp"

#include <fmt/format.h>

#include <charconv>

namespace bcr::codec {

bool decode(const ConfigValue& value, bool& option) {
  const auto* const boolean = std::get_if<bool>(&value.data);
  if (boolean != nullptr) option = *boolean;
  return boolean != nullptr;
}

bool decode(const ConfigValue& value, double& option) {
  if (const auto* const number = std::get_if<double>(&value.data)) {
    option = *number;
    return true;
  }
  const auto* const integer = std::get_if<std::int64_t>(&value.data);
  if (integer != nullptr) option = static_cast<double>(*integer);
  return integer != nullptr;
}

bool decode(const ConfigValue& value, float& option) {
  double wide = 0;
  if (!decode(value, wide)) return false;
  option = static_cast<float>(wide);
  return true;
}

bool decode(const ConfigValue& value, std::string& option) {
  const auto* const string = std::get_if<std::string>(&value.data);
  if (string == nullptr && value.bare.empty()) return false;
  option = string != nullptr ? *string : value.bare;
  return true;
}

bool decode(const ConfigValue& value, std::filesystem::path& option) {
  std::string text;
  if (!decode(value, text)) return false;
  option = text;
  return true;
}

ConfigValue encode(const bool option) {
  return {option, {}, {}};
}
ConfigValue encode(const std::int64_t option) {
  return {option, {}, {}};
}
ConfigValue encode(const double option) {
  return {option, {}, {}};
}
ConfigValue encode(const std::string& option) {
  return {option, {}, {}};
}
ConfigValue encode(const std::filesystem::path& option) {
  return {option.string(), {}, {}};
}

ConfigValue encode(const std::uint64_t option) {
  if (!std::in_range<std::int64_t>(option)) {
    throw ConfigError("config", "an integer below 2^63", fmt::format("{}", option));
  }
  return encode(static_cast<std::int64_t>(option));
}

ConfigValue encode(const float option) {
  const std::string digits = fmt::format("{}", option);
  double shortest = option;
  std::from_chars(digits.data(), digits.data() + digits.size(), shortest);
  return encode(static_cast<float>(shortest) == option ? shortest : static_cast<double>(option));
}

}  // namespace bcr::codec
