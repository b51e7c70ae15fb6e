#ifndef BCR_IO_DATASETS_NPY_HEADER_HPP
#define BCR_IO_DATASETS_NPY_HEADER_HPP

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

}  // namespace bcr::io

#endif
