#include "io/splits/class_list.hpp"

#include "src/core/error.hpp"
#include "src/core/text_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace bcr::io {
namespace {

constexpr std::string_view blank = " \t\r";

std::string trimmed(const std::string& line) {
  const std::string text = line.substr(0, line.find('#'));
  const std::size_t begin = text.find_first_not_of(blank);
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find_last_not_of(blank) + 1 - begin);
}

/// What the classes of a set are called.
enum class Naming { wordnet, words, nothing };

Naming naming_of(const std::span<const std::string> classes) {
  // A class of its own set, by name alone, is the same as one of another set exactly if the name says something.
  const auto says_nothing = [](const std::string& name) { return !same_class("a", name, "b", name); };
  const auto has_id = [](const std::string& name) {
    constexpr std::size_t id = 9;
    return same_class("a", name, "b", name.substr(0, id)) && name.size() >= id && name[0] == 'n' && name[1] >= '0' &&
           name[1] <= '9';
  };
  if (std::all_of(classes.begin(), classes.end(), says_nothing)) return Naming::nothing;
  return std::all_of(classes.begin(), classes.end(), has_id) ? Naming::wordnet : Naming::words;
}

struct Side {
  std::string role;
  std::string set;
  Naming naming = Naming::words;
  bool is_looked_at = false;
};

std::vector<Side> sides_of(const Split& split, const SplitFiles& files) {
  std::vector<Side> sides;
  const auto add = [&sides](const std::string& role, const ClassChoice& choice, const SplitFiles::Names& names) {
    const auto classes = chosen_classes(choice, names.class_names, names.file);
    const bool is_looked_at = choice.rule == ClassChoice::Rule::without && !choice.classes.empty();
    sides.push_back({role, choice.set, naming_of(classes), is_looked_at});
  };
  add("known", split.known, files.known);
  for (std::size_t i = 0; i < split.background.size(); ++i) add("background", split.background[i], files.background[i]);
  for (std::size_t i = 0; i < split.unknown.size(); ++i) add("unknown", split.unknown[i], files.unknown[i]);
  return sides;
}

std::string naming_text(const Naming naming) {
  return naming == Naming::wordnet ? "WordNet ids" : naming == Naming::words ? "words" : "numbers or no labels";
}

}  // namespace

std::vector<std::string> read_class_list(const std::filesystem::path& file) {
  std::istringstream lines(read_text(file));
  std::vector<std::string> classes;
  for (std::string line; std::getline(lines, line);) {
    if (std::string name = trimmed(line); !name.empty()) classes.push_back(std::move(name));
  }
  if (classes.empty()) throw IoError("class list " + file.string(), "a class on a line of its own", "none");
  return classes;
}

std::vector<std::string> listed_classes(const std::span<const std::string> list,
                                        const std::span<const std::string> class_names) {
  std::vector<std::string> found;
  for (const std::string& name : class_names) {
    const auto means = [&](const std::string& entry) { return entry == name || same_class("list", entry, "file", name); };
    if (std::any_of(list.begin(), list.end(), means)) found.push_back(name);
  }
  return found;
}

std::vector<std::string> incomparable_sides(const Split& split, const SplitFiles& files) {
  const std::vector<Side> sides = sides_of(split, files);
  std::vector<std::string> sentences;
  for (std::size_t a = 0; a < sides.size(); ++a) {
    for (std::size_t b = a + 1; b < sides.size(); ++b) {
      const Side& one = sides[a];
      const Side& other = sides[b];
      const bool same_names = one.naming == other.naming && one.naming != Naming::nothing;
      if (one.role == other.role || one.set == other.set || same_names || one.is_looked_at || other.is_looked_at)
        continue;
      sentences.push_back(fmt::format("{} classes of {} ({}) and {} classes of {} ({}) cannot be compared: whether some "
                                      "are the same is for you to see",
                                      one.role, one.set, naming_text(one.naming), other.role, other.set,
                                      naming_text(other.naming)));
    }
  }
  return sentences;
}

}  // namespace bcr::io
