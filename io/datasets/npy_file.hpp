#ifndef BCR_IO_DATASETS_NPY_FILE_HPP
#define BCR_IO_DATASETS_NPY_FILE_HPP

#include "io/bytes/byte_stream.hpp"

namespace bcr::io {

/// What the head of an .npy file says.
struct NpyHeader {
  std::string type;
  bool fortran_order = false;
  std::vector<std::size_t> extents;
};

/// Reads magic, version (1 to 3) and the dictionary {'descr': '|u1', 'fortran_order': False, 'shape': (3, 4), }.
NpyHeader read_npy_header(ByteStream& stream);

/// An array of a numpy file, row-major, with its little-endian elements.
struct NpyArray {
  std::string name;  ///< of the entry of an .npz without ".npy"; empty for an .npy
  std::string type;  ///< numpy's code: "|u1", "<i8", ...
  std::vector<std::size_t> extents;
  std::vector<std::uint8_t> data;
  std::string stream_name;        ///< for messages
  std::uint64_t data_offset = 0;  ///< of the first element in that stream

  std::size_t elements() const noexcept;
};

/// The integer arrays of an .npy file or an .npz archive (stored or deflated; told apart by their first bytes). Arrays
/// of real numbers are passed over; pickled objects, Fortran order and big-endian elements are refused.
std::vector<NpyArray> read_npy_file(const std::filesystem::path& path);

bool is_u8(const NpyArray& array);

/// The elements of an integer array as labels minus `first_label`; refuses those outside [0, classes).
std::vector<std::int32_t> labels_of(const NpyArray& array, std::int64_t first_label, std::size_t classes);

}  // namespace bcr::io

#endif
