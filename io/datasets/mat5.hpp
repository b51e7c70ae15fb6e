#ifndef BCR_IO_DATASETS_MAT5_HPP
#define BCR_IO_DATASETS_MAT5_HPP

#include "io/bytes/byte_stream.hpp"

namespace bcr::io {

/// A real numeric array of a MATLAB file: extents as MATLAB prints them, elements with the first index fastest.
struct MatArray {
  std::string name;
  std::vector<std::size_t> extents;
  std::uint32_t stored_as = 0;     ///< MATLAB's code of the stored element type, which may be narrower than the array's
  std::vector<std::uint8_t> data;  ///< little-endian elements
  std::string stream_name;         ///< for messages: the file, perhaps "(inflated)"
  std::uint64_t data_offset = 0;   ///< of the first element in that stream

  std::size_t elements() const noexcept;
  std::size_t element_bytes() const noexcept;
};

/// MATLAB's codes of stored types.
inline constexpr std::uint32_t mat_u8 = 2;

/// All real numeric arrays of a little-endian MATLAB 5 file, compressed or not; other variables are passed over.
/// The format is read by our own code because a library would neither say at which byte a file is damaged nor bound
/// what it allocates for a damaged one.
std::vector<MatArray> read_mat5(const SharedFile& file);

/// The elements as integers; refuses fractions and values beyond 32 bits.
std::vector<std::int64_t> integers_of(const MatArray& array);

}  // namespace bcr::io

#endif
