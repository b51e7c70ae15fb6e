#ifndef BCR_IO_HDF5_WRITER_HPP
#define BCR_IO_HDF5_WRITER_HPP

#include "io/hdf5/element.hpp"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace bcr::io {

/// An HDF5 file that appears whole or not at all: everything goes to a temporary file beside `path`, which commit()
/// closes, syncs to disk and renames. Without commit() the temporary is removed and an old file stays as it was.
/// Metadata carry the library's checksums (format 1.10), data a Fletcher-32 for each chunk, and the file the SHA-256 of
/// all its content, taken from the memory that was given and not from what became of it (/checksums,
/// docs/run_directory.md): Hdf5Reader checks whatever it reads against it. Groups on the way to an object are made. Errors
/// are IoErrors with file and object.
class Hdf5Writer {
 public:
  explicit Hdf5Writer(const std::filesystem::path& path);
  ~Hdf5Writer();
  Hdf5Writer(const Hdf5Writer&) = delete;
  Hdf5Writer& operator=(const Hdf5Writer&) = delete;

  void create_group(const std::string& group);

  /// Makes a dataset to be filled with write_rows, stored in chunks of `chunk_rows` rows of the outermost dimension.
  template <FileNumber T>
  void create(const std::string& dataset, const std::vector<std::size_t>& extents, const std::size_t chunk_rows) {
    create_chunked(dataset, element_of<T>(), extents, chunk_rows);
  }
  /// Fills rows from `first` on, whole chunks of them unless they are the last; the number of rows follows from src.
  template <FileNumber T>
  void write_rows(const std::string& dataset, const std::size_t first, const std::span<T> src) {
    write_slab(dataset, element_of<T>(), first, src.data(), src.size());
  }
  /// Makes and fills a dataset.
  template <FileNumber T>
  void write(const std::string& dataset, const std::vector<std::size_t>& extents, const std::span<T> src) {
    write_all(dataset, element_of<T>(), extents, src.data(), src.size());
  }
  /// A list of UTF-8 strings, padded with zeros to the length of the longest. An empty list is allowed.
  void write_strings(const std::string& dataset, const std::vector<std::string>& strings);

  void set_attribute(const std::string& object, const std::string& attribute, const std::string& text);
  void set_attribute(const std::string& object, const std::string& attribute, std::int64_t number);
  void set_attribute(const std::string& object, const std::string& attribute, std::span<const double> numbers);

  /// The digests of a dataset that is written.
  std::span<const Leaf> leaves(const std::string& dataset) const;

  /// Call once, last. What came to the disk is read back and checked; then, after `before_replacing`, it takes the place
  /// of an old file. A ShapeError if rows of a dataset were never written.
  void commit(const std::function<void()>& before_replacing = {});

 private:
  struct State;
  void create_chunked(const std::string& dataset, Element element, const std::vector<std::size_t>& extents,
                      std::size_t chunk_rows);
  void write_slab(const std::string& dataset, Element element, std::size_t first, const void* src, std::size_t size);
  void write_all(const std::string& dataset, Element element, const std::vector<std::size_t>& extents, const void* src,
                 std::size_t size);

  void write_digest();

  std::unique_ptr<State> state_;
};

}  // namespace bcr::io

#endif
