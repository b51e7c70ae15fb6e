#include "io/splits/split.hpp"
#include "src/core/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

namespace bcr::io {

namespace {

bool is_digit(const char c) {
  return c >= '0' && c <= '9';
}

/// "n01443537" of "n01443537 goldfish", else nothing.
std::string_view wordnet_id(const std::string_view name) {
  constexpr std::size_t length = 9;
  if (name.size() < length || name[0] != 'n') return {};
  if (!std::all_of(name.begin() + 1, name.begin() + length, is_digit)) return {};
  return name.size() == length || name[length] == ' ' ? name.substr(0, length) : std::string_view();
}

/// What identifies a class: two classes are the same if and only if their keys are.
std::string class_key(const std::string_view set, const std::string_view name) {
  if (const std::string_view id = wordnet_id(name); !id.empty()) return std::string(id);
  const bool says_nothing = name == "unlabelled" || std::all_of(name.begin(), name.end(), is_digit);
  return says_nothing ? fmt::format("{}/{}", set, name) : std::string(name);
}

/// Who owns which class so far. Sets of one role may share classes: an unknown set may come cropped and resized.
class Roll {
 public:
  void enter(const std::string& role, const std::string& set, const std::vector<std::string>& classes) {
    for (const std::string& name : classes) {
      const Owner entry{role, set, name};
      const auto [at, is_new] = owners_.emplace(class_key(set, name), entry);
      const Owner& owner = at->second;
      if (is_new || (owner.role == role && owner.set != set)) continue;
      overlaps_.push_back(owner.role == role ? fmt::format("{} twice", entry.text())
                                             : fmt::format("{} is also {}", entry.text(), owner.text()));
    }
  }

  void require_no_overlap(const std::string& split) const {
    if (overlaps_.empty()) return;
    throw ConfigError(fmt::format("split {}", split), "known, background and unknown classes that do not overlap",
                      fmt::format("{}", fmt::join(overlaps_, "; ")));
  }

 private:
  struct Owner {
    std::string role;
    std::string set;
    std::string name;

    std::string text() const { return fmt::format("{} class '{}' of {}", role, name, set); }
  };

  std::map<std::string, Owner> owners_;
  std::vector<std::string> overlaps_;
};

void require_files(const Split& split, const SplitFiles& files) {
  if (split.background.size() == files.background.size() && split.unknown.size() == files.unknown.size()) return;
  throw ConfigError(fmt::format("split {}", split.name),
                    fmt::format("{} background and {} unknown data files, as the split lists them",
                                split.background.size(), split.unknown.size()),
                    fmt::format("{} and {}", files.background.size(), files.unknown.size()));
}

}  // namespace

bool same_class(const std::string_view set_a, const std::string_view name_a, const std::string_view set_b,
                const std::string_view name_b) {
  return class_key(set_a, name_a) == class_key(set_b, name_b);
}

std::vector<std::string> chosen_classes(const ClassChoice& choice, const std::span<const std::string> class_names,
                                        const std::string& file) {
  std::vector<std::string> missing;
  for (const std::string& name : choice.classes) {
    if (std::find(class_names.begin(), class_names.end(), name) == class_names.end()) missing.push_back(name);
  }
  if (!missing.empty()) {
    throw IoError(fmt::format("classes of {}", file), fmt::format("the classes {} of {}", missing, choice.set),
                  fmt::format("{} classes without them", class_names.size()));
  }
  if (choice.rule == ClassChoice::Rule::only) return choice.classes;
  std::vector<std::string> rest;
  for (const std::string& name : class_names) {
    if (std::find(choice.classes.begin(), choice.classes.end(), name) == choice.classes.end()) rest.push_back(name);
  }
  if (rest.empty()) throw IoError(fmt::format("classes of {}", file), "a class that is left", "all taken out");
  return rest;
}

void require_disjoint(const Split& split, const SplitFiles& files) {
  require_files(split, files);
  Roll roll;
  const auto enter = [&roll](const std::string& role, const ClassChoice& choice, const SplitFiles::Names& names) {
    roll.enter(role, choice.set, chosen_classes(choice, names.class_names, names.file));
  };
  enter("known", split.known, files.known);
  for (std::size_t i = 0; i < split.background.size(); ++i) {
    enter("background", split.background[i], files.background[i]);
  }
  for (std::size_t i = 0; i < split.unknown.size(); ++i) enter("unknown", split.unknown[i], files.unknown[i]);
  roll.require_no_overlap(split.name);
}

void require_disjoint(const Split& split) {
  Roll roll;
  const auto enter = [&roll](const std::string& role, const ClassChoice& choice) {
    if (choice.rule == ClassChoice::Rule::only) roll.enter(role, choice.set, choice.classes);
  };
  enter("known", split.known);
  for (const ClassChoice& choice : split.background) enter("background", choice);
  for (const ClassChoice& choice : split.unknown) enter("unknown", choice);
  roll.require_no_overlap(split.name);
}

}  // namespace bcr::io
