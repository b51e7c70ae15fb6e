#ifndef BCR_SRC_TRAIN_RUN_SETTINGS_HPP
#define BCR_SRC_TRAIN_RUN_SETTINGS_HPP

#include <map>
#include <string>
#include <string_view>

namespace bcr::train {

/// The values of a configuration, as TOML text, by dotted key.
using RunSettings = std::map<std::string, std::string>;

/// Of a resolved configuration; `source` names it in messages.
RunSettings settings_of(const std::string& toml, const std::string& source);

/// Whether a key says where something lies or how much room it may take: that may differ between ranks.
bool is_a_place(std::string_view key);

/// Whether a key is part of the algorithm: steps that follow would not be those of the run that was begun.
bool fixes_the_algorithm(std::string_view key);

}  // namespace bcr::train

#endif
