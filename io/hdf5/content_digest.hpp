#ifndef BCR_IO_HDF5_CONTENT_DIGEST_HPP
#define BCR_IO_HDF5_CONTENT_DIGEST_HPP

// For the sources of this folder only: how a file knows its own content. Every file of Hdf5Writer carries
//
//   /checksums   u8 [L, 32]: SHA-256 of each leaf, a chunk of rows of a dataset, all datasets by ascending path
//     attribute root  hexadecimal SHA-256 of the listing below, followed by all leaves
//
// so that a reader can check what it reads when it reads it, whatever part of the file that is, and still knows one
// number for everything. The listing has, for each object by ascending path, its kind, type, shape and rows per leaf, and
// the bytes of its attributes by ascending name.
#include "io/hdf5/library.hpp"

#include <map>
#include <span>
#include <string>
#include <vector>

namespace bcr::io::hdf5 {

inline constexpr const char* digest_object = "/checksums";
inline constexpr const char* root_attribute = "root";

/// How the rows of a dataset are grouped: leaf i has rows [i rows_per_leaf, (i + 1) rows_per_leaf).
struct LeafRows {
  std::size_t rows = 0;
  std::size_t rows_per_leaf = 1;
  std::size_t row_bytes = 0;

  std::size_t leaves() const noexcept { return row_bytes == 0 ? 0 : (rows + rows_per_leaf - 1) / rows_per_leaf; }
};

/// As the shape and the chunks of a dataset say. What has no chunks is one leaf.
LeafRows leaf_rows(hid_t dataset, const std::string& file, const std::string& object);

Leaf leaf_of(std::span<const std::byte> bytes);

/// Everything in a file but the elements of its datasets.
struct ContentListing {
  std::string text;
  std::map<std::string, LeafRows> datasets;  ///< by path
};

/// An IoError for what our files never hold: links to elsewhere, types of variable length.
ContentListing list_content(hid_t file, const std::string& name);

/// The hexadecimal root.
std::string root_of(const ContentListing& listing, std::span<const Leaf> leaves);

}  // namespace bcr::io::hdf5

#endif
