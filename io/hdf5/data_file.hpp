#ifndef BCR_IO_HDF5_DATA_FILE_HPP
#define BCR_IO_HDF5_DATA_FILE_HPP

#include "io/hdf5/reader.hpp"
#include "io/hdf5/writer.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
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
  std::string sha256;  ///< of the content, as the format defines it
};

/// The kind and version of a data file: attributes `format` and `format_version` of /.
struct DataFormat {
  std::string_view name;
  std::int64_t version;
};

/// A data file open for reading: labelled samples, which are images or texts. Opening checks everything but the samples
/// themselves, which are read in ranges, each chunk against its checksum.
class DataFile {
 public:
  virtual ~DataFile() = default;

  const std::string& path() const noexcept { return reader_.name(); }
  virtual const DataFileInfo& info() const noexcept = 0;
  const std::vector<std::int32_t>& labels() const noexcept { return labels_; }

  /// Reads all samples; throws an IoError unless they are those that were written.
  virtual void verify() const = 0;

 protected:
  /// IoErrors for a file of another format or version.
  DataFile(const std::filesystem::path& path, const DataFormat& format);
  /// Fills `info` and labels() and checks them: a label for each sample, each the index of a class.
  void read_common(DataFileInfo& info);
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
