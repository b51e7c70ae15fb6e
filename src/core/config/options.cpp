#include "src/core/config/options.hpp"

#include "src/core/config/nearest_key.hpp"
#include "src/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

namespace bcr {
namespace {

bool satisfies(const ConfigValue& value, const Constraint& limits) {
  if (const auto* const integer = std::get_if<std::int64_t>(&value.data)) {
    return limits.accepts(static_cast<double>(*integer));
  }
  if (const auto* const number = std::get_if<double>(&value.data)) return limits.accepts(*number);
  if (const auto* const word = std::get_if<std::string>(&value.data)) {
    return limits.accepts(*word) && limits.accepts_length(word->size());
  }
  if (const auto* const array = std::get_if<ConfigValue::Array>(&value.data)) {
    const auto is_fine = [&](const ConfigValue& element) { return satisfies(element, limits); };
    return limits.accepts_length(array->size()) && std::all_of(array->begin(), array->end(), is_fine);
  }
  return true;
}

bool contains(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

OptionReader::OptionReader(const ConfigValue& table, std::string path) : here_{&table, std::move(path)}, root_(here_) {
  if (!table.is_table()) refuse_value(table, here_.path + " to be a table");
}

const ConfigValue* OptionReader::find(const std::string_view key) {
  keys_.push_back(join_key(here_.path, key));
  return here_.table == nullptr ? nullptr : here_.table->find(key);
}

OptionReader::Position OptionReader::enter(const std::string_view key) {
  Position outer = here_;
  here_ = {outer.table == nullptr ? nullptr : outer.table->find(key), join_key(outer.path, key)};
  sections_.push_back(here_.path);
  if (here_.table != nullptr && !here_.table->is_table()) refuse_value(*here_.table, here_.path + " to be a table");
  return outer;
}

void OptionReader::check(const std::string_view key, const std::string& kind, const Constraint& limits,
                         const ConfigValue* const given, const std::optional<ConfigValue>& value,
                         const Decoded decoded) const {
  if (decoded == Decoded::yes && (!value || satisfies(*value, limits))) return;
  const std::string expected = fmt::format("{} to be {}{}", join_key(here_.path, key), kind, limits.text());
  if (given == nullptr) {
    const Origin& section = here_.table == nullptr ? Origin() : here_.table->origin;
    throw ConfigError(section.text(), expected, fmt::format("nothing (the default is {})", to_toml_text(*value)));
  }
  refuse_value(*given, expected);
}

void OptionReader::refuse_unknown() const {
  refuse_unknown(*root_.table, root_.path);
}

void OptionReader::refuse_unknown(const ConfigValue& table, const std::string& path) const {
  for (const auto& [key, value] : std::get<ConfigValue::Table>(table.data)) {
    const std::string name = join_key(path, key);
    if (contains(keys_, name)) continue;
    if (contains(sections_, name)) {
      refuse_unknown(value, name);
      continue;
    }
    const bool is_section = value.is_table() && !sections_.empty();
    const std::string nearest = nearest_key(name, is_section ? sections_ : keys_);
    const std::string_view noun = is_section ? "section" : "key";
    throw ConfigError(value.origin.text(), fmt::format("a known {} (the nearest is '{}')", noun, nearest),
                      fmt::format("the unknown {} '{}'", noun, name));
  }
}

std::string write_toml(const std::vector<OptionSection>& sections, const Comments comments) {
  std::string out;
  const auto comment = [&](const std::string& text) {
    if (comments == Comments::help && !text.empty()) out += "# " + text + "\n";
  };
  for (const OptionSection& section : sections) {
    if (section.lines.empty()) continue;
    if (!out.empty()) out += '\n';
    comment(section.help);
    if (!section.path.empty()) out += "[" + section.path + "]\n";
    for (const OptionLine& line : section.lines) {
      comment(fmt::format("{}: {}", line.help, line.expected));
      if (line.value) {
        out += line.key + " = " + to_toml_text(*line.value) + "\n";
      } else {
        comment(line.key + " is not set");
      }
    }
  }
  return out;
}

std::string write_help(const std::vector<OptionSection>& sections) {
  std::vector<std::pair<std::string, std::string>> rows;
  for (const OptionSection& section : sections) {
    for (const OptionLine& line : section.lines) {
      const std::string value = line.value ? to_toml_text(*line.value) : "(not set)";
      rows.emplace_back(fmt::format("{} = {}", join_key(section.path, line.key), value),
                        fmt::format("{} ({})", line.help, line.expected));
    }
  }
  constexpr std::size_t widest = 40;
  std::size_t width = 0;
  for (const auto& row : rows) width = std::max(width, std::min(row.first.size(), widest));
  std::string out;
  for (const auto& [left, right] : rows) out += fmt::format("  {:<{}}  {}\n", left, width, right);
  return out;
}

}  // namespace bcr
