#ifndef BCR_IO_COMMANDS_CHOICE_OPTION_HPP
#define BCR_IO_COMMANDS_CHOICE_OPTION_HPP

#include <CLI/CLI.hpp>

#include <string>
#include <utility>
#include <vector>

namespace bcr::io {

template <class Enum>
using Choices = std::vector<std::pair<std::string, Enum>>;

/// An option whose value is one of a few words: `--part train|test|all` in the help, and all of them named if another
/// word is given. `value` outlives the parser's run.
template <class Enum>
CLI::Option* add_choice(CLI::App& parser, const std::string& name, Enum& value, const Choices<Enum>& choices,
                        const std::string& description) {
  std::string words;
  for (const auto& [word, meaning] : choices) words += (words.empty() ? "" : "|") + word;
  const auto choose = [&value, name, words, choices](const std::string& given) {
    for (const auto& [word, meaning] : choices) {
      if (word != given) continue;
      value = meaning;
      return;
    }
    throw CLI::ValidationError(name, "expected " + words + ", received '" + given + "'");
  };
  return parser.add_option_function<std::string>(name, choose, description)->type_name(words);
}

}  // namespace bcr::io

#endif
