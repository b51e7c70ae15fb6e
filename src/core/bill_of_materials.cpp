#include "src/core/bill_of_materials.hpp"

#include "src/core/error.hpp"
#include "src/core/sha256.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <fstream>
#include <set>
#include <utility>

#ifdef __linux__
#include <link.h>
#endif

namespace bcr {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::string sha256_of_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  require<IoError>(file.is_open(), "hash " + path.string(), "a file that can be read", "none");
  Sha256 hash;
  std::array<char, 1 << 16> buffer;
  while (file) {
    file.read(buffer.data(), std::streamsize(buffer.size()));
    hash.update(std::string_view(buffer.data(), std::size_t(file.gcount())));
  }
  return to_hex(hash.digest());
}

Json library(const std::string& name, const std::string& version) {
  Json component{{"type", "library"}, {"bom-ref", version.empty() ? name : name + "@" + version}, {"name", name}};
  if (version.empty()) return component;
  component["version"] = version;
  component["purl"] = fmt::format("pkg:generic/{}@{}", name, version);
  return component;
}

/// Of version 8 in RFC 9562, which leaves the digits to us: the same bill has the same number.
std::string serial_number(const std::string& text) {
  std::string digits = sha256_hex(text).substr(0, 32);
  digits[12] = '8';
  digits[16] = '8';
  return fmt::format("urn:uuid:{}-{}-{}-{}-{}", digits.substr(0, 8), digits.substr(8, 4), digits.substr(12, 4),
                     digits.substr(16, 4), digits.substr(20));
}

}  // namespace

SharedLibrary shared_library(const fs::path& path) {
  const std::string name = path.filename().string();
  const std::string_view ending = ".so";
  for (std::size_t at = name.find(ending); at != std::string::npos; at = name.find(ending, at + 1)) {
    const std::size_t behind = at + ending.size();
    if (behind == name.size()) return {name, "", path};
    if (name[behind] == '.') return {name.substr(0, behind), name.substr(behind + 1), path};
  }
  return {name, "", path};
}

std::vector<SharedLibrary> loaded_libraries() {
  std::set<fs::path> paths;
#ifdef __linux__
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* found) {
        std::error_code is_no_file;  // the program itself has no name, the kernel's vdso no file
        const fs::path path = fs::canonical(info->dlpi_name, is_no_file);
        if (!is_no_file) static_cast<std::set<fs::path>*>(found)->insert(path);
        return 0;
      },
      &paths);
#endif
  std::vector<SharedLibrary> libraries;
  for (const fs::path& path : paths) libraries.push_back(shared_library(path));
  return libraries;
}

std::string bill_of_materials(const std::string_view program, const std::span<const LibraryVersion> compiled_in) {
  const BuildInfo build = build_info();
  Json components = Json::array();
  for (const auto& [name, version] : compiled_in) components.push_back(library(name, version));
  for (const SharedLibrary& shared : loaded_libraries()) {
    Json component = library(shared.name, shared.version);
    component["bom-ref"] = shared.path.string();
    component["hashes"] = Json::array({{{"alg", "SHA-256"}, {"content", sha256_of_file(shared.path)}}});
    component["properties"] = Json::array({{{"name", "bcr:path"}, {"value", shared.path.string()}}});
    components.push_back(std::move(component));
  }
  Json references = Json::array();
  for (const Json& component : components) references.push_back(component.at("bom-ref"));

  Json properties = Json::array();
  for (const auto& [name, value] : {LibraryVersion{"bcr:git", build.git_hash}, {"bcr:git_state", build.git_state},
                                    {"bcr:compiler", build.compiler}, {"bcr:compiler_flags", build.compiler_flags}})
    properties.push_back({{"name", name}, {"value", value}});
  Json bill{{"bomFormat", "CycloneDX"}, {"specVersion", "1.5"}, {"serialNumber", ""}, {"version", 1}};
  bill["metadata"]["component"] = {{"type", "application"}, {"bom-ref", program}, {"name", program},
                                   {"version", build.version}, {"properties", std::move(properties)}};
  bill["components"] = std::move(components);
  bill["dependencies"] = Json::array({{{"ref", program}, {"dependsOn", std::move(references)}}});
  bill["serialNumber"] = serial_number(bill.dump());
  return bill.dump(2);
}

}  // namespace bcr
