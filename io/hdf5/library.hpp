#ifndef BCR_IO_HDF5_LIBRARY_HPP
#define BCR_IO_HDF5_LIBRARY_HPP

// For the sources of this folder only: what every use of the HDF5 library needs.
#include "io/hdf5/element.hpp"

#include <hdf5.h>

#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace bcr::io::hdf5 {

/// Held during every use of the library: HDF5 is commonly built without thread safety, and it prints its errors to
/// stderr unless told otherwise. The setting of a host program is restored at the end.
class LibraryScope {
 public:
  LibraryScope();
  ~LibraryScope();
  LibraryScope(const LibraryScope&) = delete;
  LibraryScope& operator=(const LibraryScope&) = delete;

 private:
  std::unique_lock<std::recursive_mutex> lock_;
  H5E_auto2_t printer_ = nullptr;
  void* printer_data_ = nullptr;
};

/// Owns one HDF5 identifier and closes it with the function of its kind.
class Handle {
 public:
  using Closer = herr_t (*)(hid_t);

  Handle() = default;
  Handle(const hid_t id, const Closer closer) : id_(id), closer_(closer) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)), closer_(other.closer_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(closer_, other.closer_);
    return *this;
  }
  ~Handle() {
    if (valid()) closer_(id_);
  }

  hid_t get() const noexcept { return id_; }
  bool valid() const noexcept { return id_ >= 0; }

  /// Closes now, for those whose closing can fail (files): the status of the library's close function.
  herr_t close() { return closer_(std::exchange(id_, H5I_INVALID_HID)); }

 private:
  hid_t id_ = H5I_INVALID_HID;
  Closer closer_ = nullptr;
};

/// Throws an IoError "[read FILE:OBJECT] expected ACTION, received <HDF5's own words>".
[[noreturn]] void fail(const std::string& file, std::string_view object, std::string_view action);

/// A handle on what a library call returned, or fail.
Handle checked(hid_t id, Handle::Closer closer, const std::string& file, std::string_view object,
               std::string_view action);

inline void check(const herr_t status, const std::string& file, const std::string_view object,
                  const std::string_view action) {
  if (status < 0) fail(file, object, action);
}

/// The memory type of an element, and the little-endian type it is stored as.
hid_t memory_type(Element element);
hid_t stored_type(Element element);

/// The element that a stored type holds.
Element element_of_type(hid_t type);

/// A type for UTF-8 strings of up to `length` bytes. Not of variable length: those lie in the library's global heap,
/// which carries no checksum and in whose damaged copies HDF5 1.10 can search for ever.
Handle text_type(const std::string& file, std::size_t length);

}  // namespace bcr::io::hdf5

#endif
