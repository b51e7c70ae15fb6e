#ifndef BCR_SRC_RUN_JSON_TREE_HPP
#define BCR_SRC_RUN_JSON_TREE_HPP

// For the sources of this folder only: the JSON library stays behind them.
#include <nlohmann/json.hpp>

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace bcr::run {

using Json = nlohmann::ordered_json;

/// The object that the text holds; an IoError that names `source` if it is no JSON object, or an absurdly deep one.
Json parse_object(std::string_view text, const std::string& source);

/// The finite number under a key, or nothing: null stands for what is not defined, and keys may be of another version.
std::optional<double> number_at(const Json& object, std::string_view key);

std::string text_at(const Json& object, std::string_view key);

/// The member under a key if it is an object, else an empty object.
const Json& object_at(const Json& object, std::string_view key);

/// All finite numbers of an object under dotted keys: {"loss": {"total": 1}} gives "loss.total".
void flatten_numbers(const Json& object, const std::string& prefix, std::map<std::string, double>& numbers);

}  // namespace bcr::run

#endif
