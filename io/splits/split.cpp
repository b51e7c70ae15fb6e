#include "io/splits/split.hpp"

#include "src/core/atomic_file.hpp"
#include "src/core/config/codec.hpp"
#include "src/core/config/toml.hpp"
#include "src/core/error.hpp"
#include "src/core/sha256.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <initializer_list>

namespace bcr::io {

namespace {

constexpr std::string_view format_name = "bcr-split";
constexpr int format_version = 1;

std::string quoted(const std::string& text) {
  return to_toml_text(codec::encode(text));
}

// One class to a line, so that two splits can be compared line by line.
void add_choice(std::string& text, const std::string_view header, const ClassChoice& choice) {
  text += fmt::format("\n{}\nset = {}\n{} = [", header, quoted(choice.set),
                      choice.rule == ClassChoice::Rule::only ? "classes" : "without");
  for (const std::string& name : choice.classes) text += fmt::format("\n  {},", quoted(name));
  text += choice.classes.empty() ? "]\n" : "\n]\n";
}

/// Reads the entries of one table and refuses those that nobody asked for.
class TableReader {
 public:
  TableReader(const ConfigValue& value, const std::string_view what) : value_(value) {
    if (!value.is_table()) refuse_value(value, fmt::format("{}, a table", what));
  }

  template <class T>
  T get(const std::string_view key, const std::string_view expected) {
    const ConfigValue* const found = value_.find(key);
    if (found == nullptr) throw ConfigError(value_.origin.text(), fmt::format("a key '{}'", key), "none");
    T option{};
    if (!codec::decode(*found, option)) refuse_value(*found, fmt::format("{} = {}", key, expected));
    return option;
  }

  bool has(const std::string_view key) const { return value_.find(key) != nullptr; }

  void allow_only(const std::initializer_list<std::string_view> keys) const {
    for (const auto& [key, value] : std::get<ConfigValue::Table>(value_.data)) {
      if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
      throw ConfigError(value.origin.text(), fmt::format("one of the keys {}", fmt::join(keys, ", ")), key);
    }
  }

 private:
  const ConfigValue& value_;
};

ClassChoice read_choice(const ConfigValue& value) {
  TableReader table(value, "a choice of classes");
  table.allow_only({"set", "classes", "without"});
  if (table.has("classes") == table.has("without")) {
    throw ConfigError(value.origin.text(), "either 'classes' or 'without'", table.has("classes") ? "both" : "neither");
  }
  ClassChoice choice;
  choice.set = table.get<std::string>("set", "the name of a data set");
  choice.rule = table.has("classes") ? ClassChoice::Rule::only : ClassChoice::Rule::without;
  choice.classes = table.get<std::vector<std::string>>(table.has("classes") ? "classes" : "without", "class names");
  return choice;
}

std::vector<ClassChoice> read_choices(const ConfigValue& tree, const std::string_view key) {
  std::vector<ClassChoice> choices;
  const ConfigValue* const list = tree.find(key);
  if (list == nullptr) return choices;
  const auto* const array = std::get_if<ConfigValue::Array>(&list->data);
  if (array == nullptr) refuse_value(*list, fmt::format("[[{}]], an array of tables", key));
  for (const ConfigValue& item : *array) choices.push_back(read_choice(item));
  return choices;
}

Split read_tree(const ConfigValue& tree, const std::string& source) {
  TableReader table(tree, "a split");
  table.allow_only({"hash", "format", "version", "name", "trial", "known", "background", "unknown"});
  const auto format = table.get<std::string>("format", "a string");
  if (format != format_name) throw ConfigError(source, fmt::format("format = \"{}\"", format_name), format);
  const int version = table.get<int>("version", "an integer");
  if (version != format_version) {
    throw ConfigError(source, fmt::format("version = {}", format_version), std::to_string(version));
  }
  Split split;
  split.name = table.get<std::string>("name", "a string");
  split.trial = table.get<int>("trial", "an integer");
  if (!table.has("known")) throw ConfigError(source, "a table [known]", "none");
  split.known = read_choice(*tree.find("known"));
  if (split.known.rule != ClassChoice::Rule::only || split.known.classes.empty()) {
    throw ConfigError(source, "known.classes, a list of at least one class, whose order gives the labels",
                      split.known.classes.empty() ? "an empty list" : "without");
  }
  split.background = read_choices(tree, "background");
  split.unknown = read_choices(tree, "unknown");
  return split;
}

}  // namespace

std::string split_text(const Split& split) {
  std::string text = fmt::format("format = \"{}\"\nversion = {}\nname = {}\ntrial = {}\n", format_name, format_version,
                                 quoted(split.name), split.trial);
  add_choice(text, "[known]", split.known);
  for (const ClassChoice& choice : split.background) add_choice(text, "[[background]]", choice);
  for (const ClassChoice& choice : split.unknown) add_choice(text, "[[unknown]]", choice);
  return text;
}

std::string split_hash(const Split& split) {
  return sha256_hex(split_text(split));
}

void write_split(const std::filesystem::path& path, const Split& split) {
  require_disjoint(split);
  write_file(path, fmt::format("hash = \"{}\"\n{}", split_hash(split), split_text(split)));
}

Split read_split(const std::filesystem::path& path) {
  const ConfigValue tree = read_toml(path);
  const Split split = read_tree(tree, path.string());
  TableReader table(tree, "a split");
  const std::string hash = table.has("hash") ? table.get<std::string>("hash", "a string") : split_hash(split);
  if (hash != split_hash(split)) {
    throw IoError(fmt::format("read {}", path.string()),
                  fmt::format("hash = \"{}\", that of the content", split_hash(split)), hash);
  }
  require_disjoint(split);
  return split;
}

Split parse_split(const std::string_view text, const std::string& source) {
  const Split split = read_tree(parse_toml(text, source), source);
  require_disjoint(split);
  return split;
}

}  // namespace bcr::io
