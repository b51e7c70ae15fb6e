#include "io/splits/published.hpp"

#include "src/core/config/codec.hpp"
#include "src/core/config/toml.hpp"
#include "src/core/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

namespace bcr::io {

namespace {

struct Library {
  std::vector<PublishedSet> sets;
  std::vector<PublishedSplit> splits;
};

template <class T>
void read_key(const ConfigValue& table, const std::string_view key, T& option) {
  const ConfigValue* const value = table.find(key);
  if (value != nullptr && !codec::decode(*value, option)) refuse_value(*value, fmt::format("{} of another type", key));
}

const ConfigValue::Table& table_of(const ConfigValue& tree, const std::string_view key) {
  return std::get<ConfigValue::Table>(tree.find(key)->data);
}

Library read_library() {
  const ConfigValue tree = parse_toml(published_text(), "published.toml");
  Library library;
  for (const auto& [name, value] : table_of(tree, "sets")) {
    PublishedSet set;
    set.name = name;
    read_key(value, "count", set.count);
    read_key(value, "classes", set.class_names);
    if (!set.class_names.empty()) set.count = set.class_names.size();
    library.sets.push_back(std::move(set));
  }
  for (const auto& [name, value] : table_of(tree, "splits")) {
    PublishedSplit split;
    split.name = name;
    read_key(value, "summary", split.summary);
    read_key(value, "source", split.source);
    read_key(value, "note", split.note);
    read_key(value, "known_set", split.known_set);
    read_key(value, "unknown_set", split.unknown_set);
    read_key(value, "known", split.known);
    read_key(value, "background", split.background);
    read_key(value, "unknown", split.unknown);
    library.splits.push_back(std::move(split));
  }
  return library;
}

const Library& library() {
  static const Library once = read_library();
  return once;
}

template <class Entry>
const Entry& find_entry(const std::vector<Entry>& entries, const std::string_view kind, const std::string_view name) {
  std::vector<std::string_view> names;
  for (const Entry& entry : entries) {
    if (entry.name == name) return entry;
    names.push_back(entry.name);
  }
  throw ConfigError(fmt::format("published {}", kind), fmt::format("one of {}", fmt::join(names, ", ")), name);
}

/// The class names that places of a published set refer to, in a user's file.
const std::vector<std::string>& names_of(const PublishedSet& set, const NamedClasses& file) {
  if (!set.class_names.empty()) return set.class_names;
  if (file.class_names.size() != set.count || !std::is_sorted(file.class_names.begin(), file.class_names.end())) {
    throw IoError(fmt::format("classes of {}", file.file),
                  fmt::format("the {} classes of {} in ascending order", set.count, set.name),
                  fmt::format("{} classes", file.class_names.size()));
  }
  return file.class_names;
}

std::vector<std::string> pick(const std::vector<std::string>& names, const std::vector<std::size_t>& places) {
  std::vector<std::string> picked;
  for (const std::size_t place : places) picked.push_back(names.at(place));
  return picked;
}

/// The list of a trial, or nothing if there are no lists.
std::vector<std::size_t> of_trial(const PublishedSplit::Places& lists, const std::size_t trial) {
  if (lists.empty()) return {};
  return lists.size() == 1 ? lists[0] : lists[trial];
}

std::vector<std::size_t> complement(const std::size_t count, const std::vector<std::size_t>& places) {
  std::vector<std::size_t> rest;
  for (std::size_t i = 0; i < count; ++i) {
    if (std::find(places.begin(), places.end(), i) == places.end()) rest.push_back(i);
  }
  return rest;
}

}  // namespace

const std::vector<PublishedSplit>& published_splits() {
  return library().splits;
}

const PublishedSplit& published_split(const std::string_view name) {
  return find_entry(library().splits, "split", name);
}

const PublishedSet& published_set(const std::string_view name) {
  return find_entry(library().sets, "set", name);
}

std::string set_name(const std::string_view file_name) {
  for (const std::string_view part : {" train", " test"}) {
    if (file_name.ends_with(part)) return std::string(file_name.substr(0, file_name.size() - part.size()));
  }
  return std::string(file_name);
}

Split make_published_split(const std::string_view name, const int trial, const NamedClasses& known,
                           const NamedClasses& unknown) {
  const PublishedSplit& published = published_split(name);
  if (trial < 0 || static_cast<std::size_t>(trial) >= published.trials()) {
    throw ConfigError(fmt::format("split {}", name), fmt::format("a trial from 0 to {}", published.trials() - 1),
                      std::to_string(trial));
  }
  const auto& known_names = names_of(published_set(published.known_set), known);
  const auto& unknown_names = names_of(published_set(published.unknown_set), unknown);
  const auto at = static_cast<std::size_t>(trial);
  const auto known_places = of_trial(published.known, at);
  const auto unknown_places =
      published.unknown.empty() ? complement(unknown_names.size(), known_places) : of_trial(published.unknown, at);

  using Rule = ClassChoice::Rule;
  Split split{.name = published.name,
              .trial = trial,
              .known = {known.set, Rule::only, pick(known_names, known_places)},
              .background = {},
              .unknown = {{unknown.set, Rule::only, pick(unknown_names, unknown_places)}}};
  SplitFiles files{{known.file, known.class_names}, {}, {{unknown.file, unknown.class_names}}};
  if (!published.background.empty()) {
    split.background.push_back({known.set, Rule::only, pick(known_names, of_trial(published.background, at))});
    files.background.push_back(files.known);
  }
  require_disjoint(split, files);
  return split;
}

}  // namespace bcr::io
