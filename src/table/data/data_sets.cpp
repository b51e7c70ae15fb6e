#include "src/table/data/data_sets.hpp"

#include "src/core/config/toml.hpp"
#include "src/core/error.hpp"
#include "src/table/plan/blocks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace bcr::table {
namespace {

namespace fs = std::filesystem;

constexpr int deepest = 2;  ///< folders below the directory of the user

void add_folders(const fs::path& folder, const int depth, std::vector<fs::path>& places) {
  places.push_back(folder);
  if (depth == deepest) return;
  std::error_code unreadable;
  std::vector<fs::path> inside;
  for (const auto& entry : fs::directory_iterator(folder, unreadable)) {
    if (entry.is_directory(unreadable)) inside.push_back(entry.path());
  }
  std::sort(inside.begin(), inside.end());
  for (const fs::path& next : inside) add_folders(next, depth + 1, places);
}

/// All paths of one alternative in one place, or nothing if one of them is not there.
std::optional<std::vector<fs::path>> paths_in(const fs::path& place, const std::vector<std::string>& patterns) {
  std::vector<fs::path> paths;
  for (const std::string& pattern : patterns) {
    const auto matching = matching_paths(place, pattern);
    if (matching.empty()) return std::nullopt;
    paths.insert(paths.end(), matching.begin(), matching.end());
  }
  return paths;
}

std::string with_commas(const std::int64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

}  // namespace

std::vector<fs::path> matching_paths(const fs::path& folder, const std::string& pattern) {
  const fs::path whole = folder / pattern;
  const std::string name = whole.filename().string();
  const std::size_t star = name.find('*');
  std::error_code unreadable;
  if (star == std::string::npos) return fs::exists(whole, unreadable) ? std::vector{whole} : std::vector<fs::path>();
  const std::string begin = name.substr(0, star);
  const std::string end = name.substr(star + 1);
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(whole.parent_path(), unreadable)) {
    const std::string there = entry.path().filename().string();
    if (there.size() + 1 >= name.size() && there.starts_with(begin) && there.ends_with(end)) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::string Archive::text() const {
  std::vector<std::string> facts;
  if (bytes > 0) facts.push_back(with_commas(bytes) + " bytes");
  if (!md5.empty()) facts.push_back("MD5 " + md5);
  if (!sha1.empty()) facts.push_back("SHA-1 " + sha1);
  if (!sha256.empty()) facts.push_back("SHA-256 " + sha256);
  return fmt::format("{}{} from {}", name, facts.empty() ? "" : fmt::format(" ({})", fmt::join(facts, ", ")), where);
}

DataSets::DataSets(const fs::path& configs, const fs::path& directory) : directory_(directory) {
  const ConfigValue tree = read_toml(configs / "tables" / "data.toml");
  sets_ = read_blocks<DataSet>(tree, "sets");
  archives_ = read_blocks<Archive>(tree, "archives");
  require<IoError>(fs::is_directory(directory), "--data", "a directory", directory.string() + ", which is none");
  add_folders(directory, 0, places_);
}

const DataSet& DataSets::describe_set(const std::string_view name) const {
  const auto found = std::find_if(sets_.begin(), sets_.end(), [&](const DataSet& set) { return set.name == name; });
  if (found == sets_.end())
    throw ConfigError("data set " + std::string(name), "one that configs/tables/data.toml describes", "none");
  return *found;
}

std::optional<FoundSet> DataSets::find(const std::string_view name) const {
  for (const fs::path& place : places_) {
    const fs::path ready = place / fmt::format("{}.h5", name);
    if (fs::is_regular_file(ready)) return FoundSet{fs::absolute(ready), {}};
  }
  const DataSet& set = describe_set(name);
  for (const auto& alternative : set.sources) {
    for (const fs::path& place : places_) {
      if (!set.needs.empty() && !paths_in(place, set.needs)) continue;
      if (auto paths = paths_in(place, alternative)) return FoundSet{{}, *std::move(paths)};
    }
  }
  return std::nullopt;
}

std::string DataSets::missing_text(const std::string_view name) const {
  const DataSet& set = describe_set(name);
  std::vector<std::string> archives;
  for (const Archive& archive : archives_) {
    if (std::find(set.archives.begin(), set.archives.end(), archive.name) != set.archives.end())
      archives.push_back(archive.text());
  }
  return fmt::format("{}: neither {}.h5 nor {} is below {}. Published: {}.", set.title, name,
                     fmt::join(set.sources.front(), ", "), directory_.string(), fmt::join(archives, "; "));
}

}  // namespace bcr::table
