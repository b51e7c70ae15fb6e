#include "io/hdf5/content_digest.hpp"

#include "src/core/error.hpp"
#include "src/core/sha256.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>

namespace bcr::io::hdf5 {

static_assert(std::endian::native == std::endian::little, "leaves are digests of little-endian elements");

namespace {

constexpr std::size_t largest_attribute = std::size_t{1} << 24;

std::string type_text(const hid_t type, const std::string& file, const std::string& object) {
  const Element element = element_of_type(type);
  if (element != Element::other) return std::string(element_name(element));
  const bool fixed = H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0;
  if (!fixed) throw IoError(fmt::format("HDF5 {}:{}", file, object), "numbers, or strings of fixed length", "others");
  return fmt::format("text{}", H5Tget_size(type));
}

std::vector<hsize_t> extents_of(const hid_t space) {
  std::vector<hsize_t> extents(static_cast<std::size_t>(std::max(0, H5Sget_simple_extent_ndims(space))));
  H5Sget_simple_extent_dims(space, extents.data(), nullptr);
  return extents;
}

/// Paths of all objects but the root and the digests, from any group down.
std::vector<std::string> paths_of(const hid_t file, const std::string& name) {
  struct Found {
    std::vector<std::string> paths;
    bool hard = true;
  } found;
  const auto add = [](hid_t, const char* path, const H5L_info_t* link, void* data) -> herr_t {
    auto& list = *static_cast<Found*>(data);
    list.hard = list.hard && link->type == H5L_TYPE_HARD;
    list.paths.push_back(std::string("/") + path);
    return 0;
  };
  check(H5Lvisit(file, H5_INDEX_NAME, H5_ITER_INC, add, &found), name, "/", "its objects");
  if (!found.hard) throw IoError(fmt::format("HDF5 {}", name), "objects of its own", "links to elsewhere");
  std::erase(found.paths, digest_object);
  std::sort(found.paths.begin(), found.paths.end());
  return found.paths;
}

std::vector<std::string> attributes_of(const hid_t object, const std::string& name, const std::string& path) {
  std::vector<std::string> attributes;
  const auto add = [](hid_t, const char* attribute, const H5A_info_t*, void* list) -> herr_t {
    static_cast<std::vector<std::string>*>(list)->emplace_back(attribute);
    return 0;
  };
  check(H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, nullptr, add, &attributes), name, path, "its attributes");
  std::sort(attributes.begin(), attributes.end());
  return attributes;
}

void list_attributes(const hid_t object, const std::string& name, const std::string& path, std::string& text) {
  for (const std::string& attribute : attributes_of(object, name, path)) {
    const std::string where = path + "@" + attribute;
    const Handle opened =
        checked(H5Aopen(object, attribute.c_str(), H5P_DEFAULT), H5Aclose, name, where, "an attribute");
    const Handle type = checked(H5Aget_type(opened.get()), H5Tclose, name, where, "a type");
    const Handle space = checked(H5Aget_space(opened.get()), H5Sclose, name, where, "a shape");
    text += fmt::format("attribute {} {} [{}]\n", where, type_text(type.get(), name, where),
                        fmt::join(extents_of(space.get()), ", "));
    const auto points = static_cast<std::size_t>(std::max<hssize_t>(0, H5Sget_simple_extent_npoints(space.get())));
    const std::size_t width = H5Tget_size(type.get());
    if (width == 0 || points > largest_attribute / width)
      throw IoError(fmt::format("HDF5 {}:{}", name, where), "an attribute of sensible size", std::to_string(points));
    std::string bytes(points * width, '\0');
    check(H5Aread(opened.get(), type.get(), bytes.data()), name, where, "a readable attribute");
    text += bytes + "\n";
  }
}

}  // namespace

LeafRows leaf_rows(const hid_t dataset, const std::string& file, const std::string& object) {
  const Handle type = checked(H5Dget_type(dataset), H5Tclose, file, object, "a type");
  const Handle space = checked(H5Dget_space(dataset), H5Sclose, file, object, "a shape");
  const Handle properties = checked(H5Dget_create_plist(dataset), H5Pclose, file, object, "properties");
  const std::vector<hsize_t> extents = extents_of(space.get());
  LeafRows rows{.rows = 1, .rows_per_leaf = 1, .row_bytes = H5Tget_size(type.get())};
  if (extents.empty()) return rows;
  rows.rows = extents[0];
  for (std::size_t d = 1; d < extents.size(); ++d) rows.row_bytes *= extents[d];
  std::vector<hsize_t> chunk(extents.size(), 0);
  const bool chunked = H5Pget_layout(properties.get()) == H5D_CHUNKED &&
                       H5Pget_chunk(properties.get(), static_cast<int>(chunk.size()), chunk.data()) > 0;
  rows.rows_per_leaf = std::max<std::size_t>(1, chunked ? chunk[0] : rows.rows);
  return rows;
}

Leaf leaf_of(const std::span<const std::byte> bytes) {
  return Sha256().update(bytes).digest();
}

ContentListing list_content(const hid_t file, const std::string& name) {
  ContentListing listing;
  listing.text = "group /\n";
  const Handle root = checked(H5Oopen(file, "/", H5P_DEFAULT), H5Oclose, name, "/", "the root");
  list_attributes(root.get(), name, "/", listing.text);
  for (const std::string& path : paths_of(file, name)) {
    const Handle object = checked(H5Oopen(file, path.c_str(), H5P_DEFAULT), H5Oclose, name, path, "an object");
    if (H5Iget_type(object.get()) == H5I_DATASET) {
      const Handle type = checked(H5Dget_type(object.get()), H5Tclose, name, path, "a type");
      const Handle space = checked(H5Dget_space(object.get()), H5Sclose, name, path, "a shape");
      const LeafRows& rows = listing.datasets[path] = leaf_rows(object.get(), name, path);
      listing.text += fmt::format("dataset {} {} [{}] by {}\n", path, type_text(type.get(), name, path),
                                  fmt::join(extents_of(space.get()), ", "), rows.rows_per_leaf);
    } else {
      listing.text += fmt::format("group {}\n", path);
    }
    list_attributes(object.get(), name, path, listing.text);
  }
  return listing;
}

std::string root_of(const ContentListing& listing, const std::span<const Leaf> leaves) {
  return to_hex(Sha256().update(listing.text).update(std::as_bytes(leaves)).digest());
}

}  // namespace bcr::io::hdf5
