#ifndef BCR_SRC_CORE_CONFIG_VALUE_HPP
#define BCR_SRC_CORE_CONFIG_VALUE_HPP

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace bcr {

/// Where a value was written: "run.toml" line 3, or the text of an override (line 0), or nowhere (a default).
struct Origin {
  std::string source;
  unsigned line = 0;

  /// "config run.toml:3", "config --train.lr=0.1", "config": how error messages name the place.
  std::string text() const;
};

struct ConfigEntry;

/// One value of a configuration or manifest tree. Tables keep the order in which their keys were set, so whatever is
/// written from a tree is the same on every run.
struct ConfigValue {
  using Array = std::vector<ConfigValue>;
  using Table = std::vector<ConfigEntry>;

  using Data = std::variant<bool, std::int64_t, double, std::string, Array, Table>;

  Data data;
  Origin origin;
  std::string bare;  ///< An override's unquoted text: `--run.name=42` may then be read as the string "42".

  /// An empty string, or what is given. Defined where ConfigEntry is complete, as is all that copies or destroys one.
  ConfigValue();
  ConfigValue(Data given, Origin from, std::string bare_text);
  ConfigValue(const ConfigValue&);
  ConfigValue(ConfigValue&&) noexcept;
  ConfigValue& operator=(const ConfigValue&);
  ConfigValue& operator=(ConfigValue&&) noexcept;
  ~ConfigValue();

  bool is_table() const { return std::holds_alternative<Table>(data); }

  /// The entry of a table, or nullptr if this is no table or has no such key.
  const ConfigValue* find(std::string_view key) const;

  /// The entry of a table, made if absent; a value that is no table becomes an empty one first.
  ConfigValue& at_or_insert(std::string_view key);
};

struct ConfigEntry {
  std::string key;
  ConfigValue value;
};

/// Lays `upper` over `lower`: tables are merged key by key at every depth, anything else is replaced.
void merge(ConfigValue& lower, const ConfigValue& upper);

/// The value as TOML text; doubles carry the fewest digits that read back to the same bits.
std::string to_toml_text(const ConfigValue& value);

/// "an integer", "a string", ...
std::string_view kind_text(const ConfigValue& value);

/// Throws the ConfigError "[where it stands] expected <expected>, received <the value> (<its kind>)".
[[noreturn]] void refuse_value(const ConfigValue& value, std::string_view expected);

/// "a" + "b" -> "a.b"; an empty parent gives "b".
std::string join_key(std::string_view parent, std::string_view key);

}  // namespace bcr

#endif
