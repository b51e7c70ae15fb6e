#ifndef BCR_SRC_CORE_CONFIG_TOML_HPP
#define BCR_SRC_CORE_CONFIG_TOML_HPP

#include "src/core/config/value.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace bcr {

/// The tree of a TOML file; every value remembers its line. Throws ConfigError for a missing or malformed file.
ConfigValue read_toml(const std::filesystem::path& file);

/// The tree of TOML text; `source` names it in messages.
ConfigValue parse_toml(std::string_view text, const std::string& source);

/// The tree of one override, `train.lr=0.1`. The value is TOML; what is no TOML value and does not begin like one that
/// was meant to be (a quote, [ or {) is taken as a string, so `--loss.name=bcr` and `--data.file=/a/b.h5` need no
/// quotes.
ConfigValue parse_override(std::string_view text);

/// Of the library that reads TOML, as major.minor.patch.
std::string toml_library_version();

}  // namespace bcr

#endif
