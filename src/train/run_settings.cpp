#include "src/train/run_settings.hpp"

#include "src/core/config/toml.hpp"

#include <algorithm>
#include <array>

namespace bcr::train {
namespace {

void flatten(const ConfigValue& value, const std::string& key, RunSettings& settings) {
  if (const auto* const table = std::get_if<ConfigValue::Table>(&value.data)) {
    for (const ConfigEntry& entry : *table) flatten(entry.value, join_key(key, entry.key), settings);
  } else {
    settings[key] = to_toml_text(value);
  }
}

template <std::size_t count>
bool is_among(const std::array<std::string_view, count>& keys, const std::string_view key) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

}  // namespace

RunSettings settings_of(const std::string& toml, const std::string& source) {
  RunSettings settings;
  flatten(parse_toml(toml, source), "", settings);
  return settings;
}

bool is_a_place(const std::string_view key) {
  constexpr std::array<std::string_view, 8> places{
      "data.split",        "data.known_train", "data.known_test",        "data.background_train",
      "data.unknown_test", "data.scratch",     "data.device_budget_mib", "train.start_from"};
  return is_among(places, key);
}

bool fixes_the_algorithm(const std::string_view key) {
  constexpr std::array<std::string_view, 7> fixed{
      "data.known.batch", "data.background.batch", "data.background_batches", "data.last_batch",
      "data.validation",  "train.shards",          "train.batch_norm"};
  return is_among(fixed, key);
}

}  // namespace bcr::train
