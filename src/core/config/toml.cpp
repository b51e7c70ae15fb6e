#include "src/core/config/toml.hpp"

#include "src/core/error.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>

namespace bcr {
namespace {

ConfigValue convert(const toml::node& node, const std::string& source) {
  ConfigValue value;
  value.origin = {source, node.source().begin.line};
  if (const auto* boolean = node.as_boolean()) {
    value.data = boolean->get();
  } else if (const auto* integer = node.as_integer()) {
    value.data = integer->get();
  } else if (const auto* number = node.as_floating_point()) {
    value.data = number->get();
  } else if (const auto* string = node.as_string()) {
    value.data = string->get();
  } else if (const auto* array = node.as_array()) {
    auto& elements = value.data.emplace<ConfigValue::Array>();
    for (const toml::node& element : *array) elements.push_back(convert(element, source));
  } else if (const auto* table = node.as_table()) {
    auto& entries = value.data.emplace<ConfigValue::Table>();
    for (const auto& [key, entry] : *table) {
      ConfigValue child = convert(entry, source);
      // The line of the key, which is the line a reader looks for when the value is a multi-line array.
      if (key.source().begin.line != 0) child.origin.line = key.source().begin.line;
      entries.push_back({std::string(key.str()), std::move(child)});
    }
  } else {
    throw ConfigError(value.origin.text(), "a boolean, number, string, array or table", "a date or time (quote it)");
  }
  return value;
}

// The value of an override as TOML sees it, or nothing if it is none, or a date (which we read as text).
std::optional<ConfigValue> toml_value(const std::string_view text) {
  try {
    const toml::table table = toml::parse("value = " + std::string(text));
    const toml::node* node = table.size() == 1 ? table.get("value") : nullptr;
    if (node == nullptr || node->is_date() || node->is_time() || node->is_date_time()) return std::nullopt;
    return convert(*node, "");
  } catch (const toml::parse_error&) {
    return std::nullopt;
  }
}

bool looks_like_toml(const std::string_view text) {
  return text.starts_with('"') || text.starts_with('\'') || text.starts_with('[') || text.starts_with('{');
}

void set_origin(ConfigValue& value, const Origin& origin) {
  value.origin = origin;
  if (auto* array = std::get_if<ConfigValue::Array>(&value.data)) {
    for (ConfigValue& element : *array) set_origin(element, origin);
  } else if (auto* table = std::get_if<ConfigValue::Table>(&value.data)) {
    for (auto& [key, entry] : *table) set_origin(entry, origin);
  }
}

ConfigValue override_value(const std::string_view text, const Origin& origin) {
  std::optional<ConfigValue> value = toml_value(text);
  if (!value) {
    if (text.empty() || looks_like_toml(text)) {
      throw ConfigError(origin.text(), "a TOML value or a bare word after '='", fmt::format("'{}'", text));
    }
    value.emplace().data = std::string(text);
  }
  if (!looks_like_toml(text)) value->bare = text;
  set_origin(*value, origin);
  return *std::move(value);
}

}  // namespace

ConfigValue parse_toml(const std::string_view text, const std::string& source) {
  try {
    return convert(toml::parse(text), source);
  } catch (const toml::parse_error& error) {
    const Origin origin{source, error.source().begin.line};
    throw ConfigError(origin.text(), "valid TOML", fmt::format("an error: {}", error.description()));
  }
}

ConfigValue read_toml(const std::filesystem::path& file) {
  const auto refuse = [&](const std::string_view reason) {
    throw ConfigError("config", "a readable TOML file", fmt::format("'{}' ({})", file.string(), reason));
  };
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) refuse("a directory");
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  if (!stream.is_open()) refuse(std::strerror(errno));
  const std::string text(std::istreambuf_iterator<char>(stream), {});
  return parse_toml(text, file.string());
}

ConfigValue parse_override(const std::string_view text) {
  const Origin origin{"--" + std::string(text), 0};
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) {
    throw ConfigError("config", "an override section.key=value", fmt::format("'{}'", text));
  }

  ConfigValue root{ConfigValue::Table(), origin, {}};
  ConfigValue* value = &root;
  for (std::size_t begin = 0; begin <= equals;) {
    const std::size_t end = std::min(text.find('.', begin), equals);
    const std::string_view key = text.substr(begin, end - begin);
    if (key.empty()) throw ConfigError("config", "an override section.key=value", fmt::format("'{}'", text));
    value = &value->at_or_insert(key);
    value->origin = origin;
    begin = end + 1;
  }
  *value = override_value(text.substr(equals + 1), origin);
  return root;
}

std::string toml_library_version() {
  return fmt::format("{}.{}.{}", TOML_LIB_MAJOR, TOML_LIB_MINOR, TOML_LIB_PATCH);
}

}  // namespace bcr
