#include "src/core/config.hpp"

#include "src/core/config/nearest_key.hpp"
#include "src/core/config/toml.hpp"
#include "src/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace bcr {

Config::Config() : Config({ConfigValue::Table(), {}, {}}, "") {}

Config::Config(ConfigValue tree, std::string path) : tree_(std::move(tree)), path_(std::move(path)) {}

Config Config::load(const std::span<const std::filesystem::path> files, const std::span<const std::string> overrides) {
  Config config;
  for (const std::filesystem::path& file : files) merge(config.tree_, read_toml(file));
  for (const std::string& text : overrides) merge(config.tree_, parse_override(text));
  return config;
}

Config Config::parse(const std::string_view text, const std::string& source) {
  return Config(parse_toml(text, source), "");
}

Config Config::section(const std::string_view key) const {
  const std::size_t dot = key.find('.');
  if (dot != std::string_view::npos) return section(key.substr(0, dot)).section(key.substr(dot + 1));

  const ConfigValue* const found = tree_.find(key);
  std::string path = join_key(path_, key);
  if (found == nullptr) return Config({ConfigValue::Table(), {}, {}}, std::move(path));
  if (!found->is_table()) refuse_value(*found, path + " to be a table");
  return Config(*found, std::move(path));
}

void Config::require_only(const std::span<const std::string_view> keys) const {
  std::vector<std::string> known;
  for (const std::string_view key : keys) known.push_back(join_key(path_, key));
  for (const auto& [key, value] : std::get<ConfigValue::Table>(tree_.data)) {
    const std::string name = join_key(path_, key);
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    throw ConfigError(value.origin.text(), fmt::format("a known key (the nearest is '{}')", nearest_key(name, known)),
                      fmt::format("the unknown key '{}'", name));
  }
}

}  // namespace bcr
