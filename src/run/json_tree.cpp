#include "src/run/json_tree.hpp"

#include "src/core/error.hpp"
#include "src/core/json_depth.hpp"

#include <fmt/format.h>

#include <cmath>

namespace bcr::run {

Json parse_object(const std::string_view text, const std::string& source) {
  if (is_too_deep(text))
    throw IoError("read " + source, fmt::format("JSON with at most {} objects within each other", deepest_json), "more");
  Json tree;
  try {
    tree = Json::parse(text);
  } catch (const Json::exception& error) {
    throw IoError("read " + source, "JSON", error.what());
  }
  if (!tree.is_object()) throw IoError("read " + source, "a JSON object", tree.type_name());
  return tree;
}

std::optional<double> number_at(const Json& object, const std::string_view key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number()) return std::nullopt;
  const auto value = found->get<double>();
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::string text_at(const Json& object, const std::string_view key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

const Json& object_at(const Json& object, const std::string_view key) {
  static const Json empty = Json::object();
  const auto found = object.find(key);
  return found != object.end() && found->is_object() ? *found : empty;
}

void flatten_numbers(const Json& object, const std::string& prefix, std::map<std::string, double>& numbers) {
  for (const auto& [key, value] : object.items()) {
    const std::string name = prefix.empty() ? key : prefix + "." + key;
    if (value.is_object()) {
      flatten_numbers(value, name, numbers);
    } else if (const auto number = number_at(object, key)) {
      numbers[name] = *number;
    }
  }
}

}  // namespace bcr::run
