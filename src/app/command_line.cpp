#include "src/app/command_line.hpp"

#include "src/core/error.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace bcr::app {
namespace {

/// "--section.key" or "--section.key=value": letters, digits, '_' and '-', with a dot before any '='.
bool is_dotted_option(const std::string_view argument) {
  if (!argument.starts_with("--")) return false;
  const auto name = argument.substr(2, argument.find('=') - 2);
  const auto is_key_letter = [](const unsigned char c) { return std::isalnum(c) || c == '_' || c == '-' || c == '.'; };
  return name.find('.') != std::string_view::npos && std::all_of(name.begin(), name.end(), is_key_letter);
}

}  // namespace

Arguments sort_arguments(const std::span<const std::string> arguments) {
  Arguments sorted;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument.starts_with("--kokkos-")) {
      sorted.kokkos.push_back(argument);
    } else if (!is_dotted_option(argument)) {
      sorted.own.push_back(argument);
    } else if (argument.find('=') != std::string::npos) {
      sorted.overrides.push_back(argument.substr(2));
    } else {
      if (i + 1 == arguments.size()) {
        throw ConfigError("command line", "a value after " + argument, "the end of the line");
      }
      sorted.overrides.push_back(argument.substr(2) + "=" + arguments[++i]);
    }
  }
  return sorted;
}

void ConfigOptions::declare(CLI::App& parser) {
  parser.add_option("--config", files_, "configuration file (TOML); repeatable, later files win")->type_name("FILE");
}

}  // namespace bcr::app
