#ifndef BCR_SRC_TABLE_DATA_DATA_SETS_HPP
#define BCR_SRC_TABLE_DATA_DATA_SETS_HPP

#include "src/core/config.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bcr::table {

/// [[archives]] of configs/tables/data.toml: a published file.
struct Archive {
  std::string name;
  std::string where;
  std::int64_t bytes = 0;
  std::string md5;
  std::string sha1;
  std::string sha256;

  /// "cifar-10-binary.tar.gz (170,052,171 bytes, MD5 c32a...), from the CIFAR page of ...".
  std::string text() const;
};

template <class V>
void describe(V& v, Archive& o) {
  v("name", o.name, "of the file", must_be::not_empty());
  v("where", o.where, "where it is published, in words", must_be::not_empty());
  v("bytes", o.bytes, "its size; 0: not known", must_be::not_negative());
  v("md5", o.md5, "as published");
  v("sha1", o.sha1, "as published");
  v("sha256", o.sha256, "as published");
}

/// [[sets]] of the same file: a data set and how it is imported.
struct DataSet {
  std::string name;
  std::string title;
  std::string format;
  std::vector<std::vector<std::string>> sources;
  std::vector<std::string> needs;
  std::vector<std::string> options;
  std::vector<std::string> archives;
};

template <class V>
void describe(V& v, DataSet& o) {
  v("name", o.name, "of its HDF5 file, without the ending", must_be::not_empty());
  v("title", o.title, "for people", must_be::not_empty());
  v("format", o.format, "of bcr-data import", must_be::not_empty());
  v("sources", o.sources, "alternatives, each a list of paths; * stands for any letters of a file name",
    must_be::not_empty());
  v("needs", o.needs, "paths that must be there too");
  v("options", o.options, "more words of bcr-data import");
  v("archives", o.archives, "names of the published files");
}

/// Where a data set is: a ready HDF5 file, or published files to import.
struct FoundSet {
  std::filesystem::path ready;
  std::vector<std::filesystem::path> sources;

  bool is_ready() const { return !ready.empty(); }
};

/// What can be found below a directory of the user: in it, in its folders, and in their folders.
class DataSets {
 public:
  /// `configs`: the folder that holds tables/data.toml.
  DataSets(const std::filesystem::path& configs, const std::filesystem::path& directory);

  /// A ConfigError for a name that data.toml does not know.
  const DataSet& describe_set(std::string_view name) const;
  std::optional<FoundSet> find(std::string_view name) const;

  /// "CIFAR-10, 50,000 training images: from cifar-10-binary.tar.gz (...), ...; looked for ... below DIR".
  std::string missing_text(std::string_view name) const;

 private:
  std::filesystem::path directory_;
  std::vector<std::filesystem::path> places_;
  std::vector<DataSet> sets_;
  std::vector<Archive> archives_;
};

/// The files in a folder of this name, which may hold one `*` in its last part; ascending.
std::vector<std::filesystem::path> matching_paths(const std::filesystem::path& folder, const std::string& pattern);

}  // namespace bcr::table

#endif
