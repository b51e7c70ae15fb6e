#include "src/report/run/manifest_file.hpp"

#include "src/report/run/json_tree.hpp"

namespace bcr::report {

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

}  // namespace

std::string ManifestEntries::text(const std::string_view key) const {
  for (const auto& [name, value] : entries) {
    if (name == key) return value;
  }
  return {};
}

ManifestEntries parse_manifest(const std::string_view text, const std::string& source) {
  ManifestEntries manifest;
  flatten(parse_object(text, source), "", manifest);
  return manifest;
}

}  // namespace bcr::report
