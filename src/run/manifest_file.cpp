#include "src/run/manifest_file.hpp"

#include "src/core/config/codec.hpp"
#include "src/core/error.hpp"
#include "src/core/sealed_text.hpp"
#include "src/core/text_file.hpp"
#include "src/run/json_tree.hpp"

namespace bcr::run {
namespace {

void flatten(const Json& object, const std::string& prefix, ManifestEntries& manifest) {
  for (const auto& [key, value] : object.items()) {
    const std::string name = prefix.empty() ? key : prefix + "." + key;
    if (value.is_object()) {
      flatten(value, name, manifest);
    } else {
      const auto replace = Json::error_handler_t::replace;
      manifest.entries.emplace_back(
          name, value.is_string() ? value.get<std::string>() : value.dump(-1, ' ', false, replace));
    }
  }
}

/// Manifests of other versions may lack anything.
template <class T>
T value_at(const Json& object, const char* const pointer, const T& otherwise) {
  try {
    return object.value(Json::json_pointer(pointer), otherwise);
  } catch (const Json::exception&) {
    return otherwise;
  }
}

RunPart part_of(const Json& object) {
  return {.host = value_at<std::string>(object, "/host", ""),
          .git = value_at<std::string>(object, "/git", ""),
          .ranks = value_at<std::int64_t>(object, "/ranks", 1),
          .threads = value_at<std::int64_t>(object, "/threads", 1),
          .from_step = value_at<std::int64_t>(object, "/from_step", 0),
          .time_utc = value_at<std::string>(object, "/time_utc", "")};
}

RunPart only_part_of(const Json& manifest) {
  return {.host = value_at<std::string>(manifest, "/machine/hostname", ""),
          .git = value_at<std::string>(manifest, "/git/hash", ""),
          .ranks = value_at<std::int64_t>(manifest, "/ranks", 1),
          .threads = value_at<std::int64_t>(manifest, "/kokkos/threads", 1),
          .from_step = 0,
          .time_utc = value_at<std::string>(manifest, "/time_utc", "")};
}

Json read_json(const std::filesystem::path& file) {
  try {
    return parse_object(read_text(file), file.string());
  } catch (const IoError&) {
    return {};
  }
}

}  // namespace

std::string ManifestEntries::text(const std::string_view key) const {
  for (const auto& [name, value] : entries) {
    if (name == key) return value;
  }
  return {};
}

ManifestEntries parse_manifest(const std::string_view text, const std::string& source) {
  ManifestEntries manifest;
  const Json tree = parse_object(text, source);
  require_seal(text, source, tree.contains("format_version") ? SealWanted::always : SealWanted::if_there);
  flatten(tree, "", manifest);
  return manifest;
}

std::vector<RunPart> read_parts(const std::filesystem::path& manifest) {
  const Json json = read_json(manifest);
  if (!json.is_object()) return {};
  const auto list = json.find("parts");
  if (list == json.end() || !list->is_array()) return {only_part_of(json)};
  std::vector<RunPart> parts;
  for (const Json& part : *list) parts.push_back(part_of(part));
  return parts;
}

ConfigValue parts_value(const std::vector<RunPart>& parts) {
  ConfigValue::Array list;
  for (const RunPart& part : parts) {
    ConfigValue& entry = list.emplace_back(ConfigValue::Table(), Origin(), std::string());
    entry.at_or_insert("host") = codec::encode(part.host);
    entry.at_or_insert("git") = codec::encode(part.git);
    entry.at_or_insert("ranks") = codec::encode(part.ranks);
    entry.at_or_insert("threads") = codec::encode(part.threads);
    entry.at_or_insert("from_step") = codec::encode(part.from_step);
    entry.at_or_insert("time_utc") = codec::encode(part.time_utc);
  }
  return {std::move(list), {}, {}};
}

}  // namespace bcr::run
