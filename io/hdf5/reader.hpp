#ifndef BCR_IO_HDF5_READER_HPP
#define BCR_IO_HDF5_READER_HPP

#include "io/hdf5/element.hpp"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace bcr::io {

/// What a dataset holds.
struct Hdf5Shape {
  Element element = Element::other;
  std::vector<std::size_t> extents;

  std::size_t elements() const noexcept {
    std::size_t product = 1;
    for (const std::size_t extent : extents) product *= extent;
    return product;
  }
};

/// An HDF5 file open for reading. Objects are named by their path ("/images"), "/" being the root; every error is an
/// IoError that names file and object and quotes the library. Types are never converted silently: asking for f32 where
/// f64 is stored is refused. Sizes are checked against the bytes in the file before anything is allocated.
/// Of a file with /checksums (every one that Hdf5Writer made), names, shapes and attributes are checked against it
/// on opening, and each chunk of a dataset when it is first read: what is not what was written is an IoError.
/// Calls from several threads are serialised.
class Hdf5Reader {
 public:
  explicit Hdf5Reader(const std::filesystem::path& path);
  ~Hdf5Reader();
  Hdf5Reader(Hdf5Reader&&) noexcept;
  Hdf5Reader& operator=(Hdf5Reader&&) noexcept;

  const std::string& name() const noexcept;
  /// Attribute "format" of the root, by which the schemas of this project are told apart; "none" if there is none.
  std::string format() const;

  /// Whether the file has digests of its content, so that everything that was read from it is what was written.
  bool is_checked() const noexcept;
  /// The digests of a dataset, in the order of its rows; none if the file is not checked.
  std::span<const Leaf> leaves(const std::string& dataset) const;
  /// Reads every dataset that has digests, and keeps nothing.
  void verify() const;

  bool has(const std::string& object) const;
  bool has_attribute(const std::string& object, const std::string& attribute) const;
  /// Names of the members of a group, in alphabetical order.
  std::vector<std::string> members(const std::string& group) const;
  Hdf5Shape shape(const std::string& dataset) const;

  /// A whole dataset; its number of elements must be that of dst.
  template <FileNumber T>
  void read(const std::string& dataset, const std::span<T> dst) const {
    read_all(dataset, element_of<T>(), dst.data(), dst.size());
  }
  template <FileNumber T>
  std::vector<T> read(const std::string& dataset) const {
    std::vector<T> values(checked_elements(dataset, element_of<T>()));
    read(dataset, std::span<T>(values));
    return values;
  }
  /// Rows [first, first + count) of the outermost dimension.
  template <FileNumber T>
  void read_rows(const std::string& dataset, const std::size_t first, const std::size_t count,
                 const std::span<T> dst) const {
    read_slab(dataset, element_of<T>(), first, count, dst.data(), dst.size());
  }
  /// A one-dimensional dataset of strings of fixed length; variable length is refused (see text_type in library.hpp).
  std::vector<std::string> read_strings(const std::string& dataset) const;

  std::string text_attribute(const std::string& object, const std::string& attribute) const;
  std::int64_t integer_attribute(const std::string& object, const std::string& attribute) const;
  std::vector<double> numbers_attribute(const std::string& object, const std::string& attribute) const;

 private:
  struct State;
  void open_checks();
  std::size_t checked_elements(const std::string& dataset, Element element) const;
  void read_all(const std::string& dataset, Element element, void* dst, std::size_t size) const;
  void read_slab(const std::string& dataset, Element element, std::size_t first, std::size_t count, void* dst,
                 std::size_t size) const;

  std::unique_ptr<State> state_;
};

}  // namespace bcr::io

#endif
