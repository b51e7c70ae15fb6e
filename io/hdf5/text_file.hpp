#ifndef BCR_IO_HDF5_TEXT_FILE_HPP
#define BCR_IO_HDF5_TEXT_FILE_HPP

#include "io/hdf5/data_file.hpp"
#include "io/text/text_set.hpp"

namespace bcr::io {

/// The data format of texts, readable with any HDF5 tool:
///
///   /tokens       i32 [T], all documents one after the other, chunks of 65,536; token 2 + i is word i
///   /offsets      u64 [N + 1], where documents begin
///   /labels       i32 [N], each the index of a class
///   /class_names  UTF-8 strings [K], of fixed length, padded with zeros
///   /vocabulary   u8 [bytes], every word of the set by falling frequency (ties alphabetical), joined by line feeds
///   /ids          u8 [bytes], the names of the documents, joined by line feeds; only if they have names
///   attributes of /: format = "bcr-texts", format_version = 2, name, source, licence, sha256 (see data_sha256),
///                    vocabulary_sha256 (of /vocabulary)
///   /checksums    of everything (docs/run_directory.md)
inline constexpr DataFormat text_format{"bcr-texts", 2};
inline constexpr std::size_t tokens_per_chunk = std::size_t{1} << 16;

/// Writes a set atomically and returns its SHA-256. Refuses an inconsistent one.
std::string write_text_file(const std::filesystem::path& path, const TextSet& set);

struct TextFileInfo : DataFileInfo {
  std::uint64_t tokens = 0;
  std::string vocabulary_sha256;
};

class TextFile final : public DataFile {
 public:
  explicit TextFile(const std::filesystem::path& path);

  const TextFileInfo& info() const noexcept override { return info_; }
  /// Where documents begin, and the number of tokens.
  const std::vector<std::uint64_t>& offsets() const noexcept { return offsets_; }
  const Vocabulary& vocabulary() const noexcept { return vocabulary_; }
  /// Of the documents; empty if they have none.
  std::vector<std::string> ids() const;

  /// The tokens of documents [first, first + count) into dst, which has room for them all.
  void read_tokens(std::size_t first, std::size_t count, std::span<std::int32_t> dst) const;

  TextSet read_all() const;

  void verify() const override;

 private:
  TextFileInfo info_;
  std::vector<std::uint64_t> offsets_;
  Vocabulary vocabulary_;
};

}  // namespace bcr::io

#endif
