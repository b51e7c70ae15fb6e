#include "src/core/config/value.hpp"

#include "src/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace bcr {
namespace {

std::string quoted(const std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      out += fmt::format("\\u{:04X}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

bool is_bare_key(const std::string_view key) {
  const auto is_bare = [](const char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  return !key.empty() && std::all_of(key.begin(), key.end(), is_bare);
}

// A TOML float needs a point or an exponent, which fmt leaves away for whole numbers.
std::string float_text(const double number) {
  if (std::isnan(number)) return "nan";
  if (std::isinf(number)) return number > 0 ? "inf" : "-inf";
  const std::string digits = fmt::format("{}", number);
  return digits.find_first_of(".e") == std::string::npos ? digits + ".0" : digits;
}

struct TomlText {
  std::string operator()(const bool value) const { return value ? "true" : "false"; }
  std::string operator()(const std::int64_t value) const { return fmt::format("{}", value); }
  std::string operator()(const double value) const { return float_text(value); }
  std::string operator()(const std::string& value) const { return quoted(value); }

  std::string operator()(const ConfigValue::Array& values) const {
    std::string out;
    for (const ConfigValue& value : values) out += (out.empty() ? "" : ", ") + to_toml_text(value);
    return "[" + out + "]";
  }

  std::string operator()(const ConfigValue::Table& entries) const {
    std::string out;
    for (const auto& [key, value] : entries) {
      out += (out.empty() ? " " : ", ") + (is_bare_key(key) ? key : quoted(key)) + " = " + to_toml_text(value);
    }
    return out.empty() ? "{}" : "{" + out + " }";
  }
};

}  // namespace

std::string Origin::text() const {
  if (source.empty()) return "config";
  return line == 0 ? "config " + source : fmt::format("config {}:{}", source, line);
}

ConfigValue::ConfigValue() : data(std::string()) {}
ConfigValue::ConfigValue(Data given, Origin from, std::string bare_text)
    : data(std::move(given)), origin(std::move(from)), bare(std::move(bare_text)) {}
ConfigValue::ConfigValue(const ConfigValue&) = default;
ConfigValue::ConfigValue(ConfigValue&&) noexcept = default;
ConfigValue& ConfigValue::operator=(const ConfigValue&) = default;
ConfigValue& ConfigValue::operator=(ConfigValue&&) noexcept = default;
ConfigValue::~ConfigValue() = default;

const ConfigValue* ConfigValue::find(const std::string_view key) const {
  const auto* table = std::get_if<Table>(&data);
  if (table == nullptr) return nullptr;
  const auto entry = std::find_if(table->begin(), table->end(), [&](const ConfigEntry& e) { return e.key == key; });
  return entry == table->end() ? nullptr : &entry->value;
}

ConfigValue& ConfigValue::at_or_insert(const std::string_view key) {
  if (!is_table()) data = Table();
  auto& table = std::get<Table>(data);
  const auto entry = std::find_if(table.begin(), table.end(), [&](const ConfigEntry& e) { return e.key == key; });
  if (entry != table.end()) return entry->value;
  return table.emplace_back(ConfigEntry{std::string(key), {}}).value;
}

void merge(ConfigValue& lower, const ConfigValue& upper) {
  if (!lower.is_table() || !upper.is_table()) {
    lower = upper;
    return;
  }
  for (const auto& [key, value] : std::get<ConfigValue::Table>(upper.data)) merge(lower.at_or_insert(key), value);
}

std::string to_toml_text(const ConfigValue& value) {
  return std::visit(TomlText(), value.data);
}

std::string_view kind_text(const ConfigValue& value) {
  constexpr std::string_view kinds[] = {"a boolean", "an integer", "a number", "a string", "an array", "a table"};
  static_assert(std::size(kinds) == std::variant_size_v<decltype(value.data)>);
  return kinds[value.data.index()];
}

void refuse_value(const ConfigValue& value, const std::string_view expected) {
  throw ConfigError(value.origin.text(), expected, fmt::format("{} ({})", to_toml_text(value), kind_text(value)));
}

std::string join_key(const std::string_view parent, const std::string_view key) {
  std::string path(parent);
  if (!path.empty()) path += '.';
  return path += key;
}

}  // namespace bcr
