#ifndef BCR_IO_HDF5_DATA_FILE_HPP
#define BCR_IO_HDF5_DATA_FILE_HPP

#include "io/hdf5/reader.hpp"
#include "io/hdf5/writer.hpp"

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bcr::io {

/// What every data file says of itself, whatever its samples are: attributes of / and the dataset /class_names.
struct DataFileInfo {
  std::size_t count = 0;  ///< samples
  std::vector<std::string> class_names;
  std::string name;
  std::string source;
  std::string licence;
  std::string sha256;  ///< see data_sha256
  std::int64_t version = 0;
};

/// The kind and version of a data file: attributes `format` and `format_version` of /.
struct DataFormat {
  std::string_view name;
  std::int64_t version;
};

/// What a data set is, wherever it lies and whoever imported it: the SHA-256 of its format, sizes, class names and labels,
/// and of the digests of its samples (docs/data.md has it in Python). Files of version 1 have that of samples and labels
/// alone.
std::string data_sha256(const DataFormat& format, std::string_view sizes, const std::vector<std::string>& class_names,
                        std::span<const std::int32_t> labels, std::initializer_list<std::span<const Leaf>> samples);

/// A data file open for reading: labelled samples, which are images or texts. Opening checks everything but the samples
/// themselves and computes their SHA-256 from the digests; samples are read in ranges, each chunk against its digest. So
/// one knows by info().sha256 what one has read.
class DataFile {
 public:
  virtual ~DataFile() = default;

  const std::string& path() const noexcept { return reader_.name(); }
  virtual const DataFileInfo& info() const noexcept = 0;
  const std::vector<std::int32_t>& labels() const noexcept { return labels_; }

  /// False for files of version 1: their samples and class names are what they are, unless verify() is called.
  bool is_checked() const noexcept { return reader_.is_checked(); }

  /// Reads all samples; throws an IoError unless they are those that were written. Class names of version 1 cannot be
  /// verified.
  virtual void verify() const = 0;

 protected:
  /// IoErrors for a file of another format or version.
  DataFile(const std::filesystem::path& path, const DataFormat& format);
  /// Fills `info` and labels() and checks them: a label for each sample, each the index of a class.
  void read_common(DataFileInfo& info);
  /// Compares the SHA-256 that a file has with that of its content.
  void check_sha256(const DataFileInfo& info, const std::string& sha256) const;
  /// Throws an IoError that names the file and the object in it unless ok.
  void check(bool ok, std::string_view object, std::string_view expected, std::string_view received) const;

  Hdf5Reader reader_;
  std::vector<std::int32_t> labels_;
};

/// Opens a file of either kind.
std::unique_ptr<DataFile> open_data_file(const std::filesystem::path& path);

/// Writes what every data file has.
void write_common(Hdf5Writer& writer, const DataFormat& format, const DataFileInfo& info,
                  const std::vector<std::int32_t>& labels);

}  // namespace bcr::io

#endif
