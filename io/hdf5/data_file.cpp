#include "io/hdf5/data_file.hpp"

#include "io/hdf5/image_file.hpp"
#include "io/hdf5/text_file.hpp"
#include "src/core/error.hpp"
#include "src/core/sha256.hpp"

#include <fmt/format.h>

#include <array>

namespace bcr::io {

DataFile::DataFile(const std::filesystem::path& path, const DataFormat& format) : reader_(path) {
  const std::string name = reader_.format();
  check(name == format.name, "/@format", format.name, name);
  const std::int64_t version = reader_.integer_attribute("/", "format_version");
  check(version == 1 || version == format.version, "/@format_version", fmt::format("version 1 or {}", format.version),
        std::to_string(version));
  check(version == 1 || is_checked(), "/checksums", "digests of the content", "none");
}

void DataFile::check(const bool ok, const std::string_view object, const std::string_view expected,
                     const std::string_view received) const {
  if (!ok) throw IoError(fmt::format("data file {}:{}", path(), object), expected, received);
}

void DataFile::read_common(DataFileInfo& info) {
  info.class_names = reader_.read_strings("/class_names");
  info.name = reader_.text_attribute("/", "name");
  info.source = reader_.text_attribute("/", "source");
  info.licence = reader_.text_attribute("/", "licence");
  info.sha256 = reader_.text_attribute("/", "sha256");
  info.version = reader_.integer_attribute("/", "format_version");
  labels_ = reader_.read<std::int32_t>("/labels");
  check(labels_.size() == info.count, "/labels", fmt::format("{} labels", info.count), std::to_string(labels_.size()));
  check(!info.class_names.empty(), "/class_names", "at least one class", "none");
  for (std::size_t i = 0; i < labels_.size(); ++i) {
    if (labels_[i] >= 0 && static_cast<std::size_t>(labels_[i]) < info.class_names.size()) continue;
    check(false, "/labels", fmt::format("labels of 0 to {}", info.class_names.size() - 1),
          fmt::format("label {} of sample {}", labels_[i], i));
  }
  const bool hex = info.sha256.size() == 64 && info.sha256.find_first_not_of("0123456789abcdef") == std::string::npos;
  check(hex, "/@sha256", "64 hexadecimal digits", info.sha256);
}

void DataFile::check_sha256(const DataFileInfo& info, const std::string& sha256) const {
  check(sha256 == info.sha256, "/@sha256", info.sha256, sha256);
}

std::string data_sha256(const DataFormat& format, const std::string_view sizes,
                        const std::vector<std::string>& class_names, const std::span<const std::int32_t> labels,
                        const std::initializer_list<std::span<const Leaf>> samples) {
  Sha256 hash;
  hash.update(fmt::format("{} {}\n{}\n", format.name, format.version, sizes));
  for (const std::string& name : class_names) hash.update(fmt::format("{}:{}\n", name.size(), name));
  const std::array<std::size_t, 1> extents{labels.size()};
  update_with_array(hash, "int32", extents, std::as_bytes(labels));
  for (const std::span<const Leaf> leaves : samples) hash.update(std::as_bytes(leaves));
  return to_hex(hash.digest());
}

std::unique_ptr<DataFile> open_data_file(const std::filesystem::path& path) {
  if (Hdf5Reader(path).format() == text_format.name) return std::make_unique<TextFile>(path);
  return std::make_unique<ImageFile>(path);
}

void write_common(Hdf5Writer& writer, const DataFormat& format, const DataFileInfo& info,
                  const std::vector<std::int32_t>& labels) {
  writer.create<std::int32_t>("/labels", {labels.size()}, std::size_t{1} << 16);
  writer.write_rows("/labels", 0, std::span(labels));
  writer.write_strings("/class_names", info.class_names);
  writer.set_attribute("/", "format", std::string(format.name));
  writer.set_attribute("/", "format_version", format.version);
  writer.set_attribute("/", "name", info.name);
  writer.set_attribute("/", "source", info.source);
  writer.set_attribute("/", "licence", info.licence);
  writer.set_attribute("/", "sha256", info.sha256);
}

}  // namespace bcr::io
