#ifndef BCR_SRC_TABLE_PLAN_BLOCKS_HPP
#define BCR_SRC_TABLE_PLAN_BLOCKS_HPP

#include "src/core/config/options.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace bcr::table {

/// The array of tables under a key, [[methods]] and the like; an empty one if absent.
inline const ConfigValue::Array& array_of(const ConfigValue& tree, const std::string& key) {
  static const ConfigValue::Array none;
  const ConfigValue* const value = tree.find(key);
  if (value == nullptr) return none;
  const auto* const array = std::get_if<ConfigValue::Array>(&value->data);
  if (array == nullptr) refuse_value(*value, "an array of tables");
  for (const ConfigValue& element : *array) {
    if (!element.is_table()) refuse_value(element, "a table");
  }
  return *array;
}

/// Its elements, each read into options; an unknown key is a ConfigError.
template <class Options>
std::vector<Options> read_blocks(const ConfigValue& tree, const std::string& key) {
  std::vector<Options> list;
  for (const ConfigValue& element : array_of(tree, key)) {
    Options options;
    OptionReader reader(element, fmt::format("{}[{}]", key, list.size()));
    describe(reader, options);
    reader.refuse_unknown();
    list.push_back(std::move(options));
  }
  return list;
}

}  // namespace bcr::table

#endif
