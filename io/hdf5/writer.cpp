#include "io/hdf5/writer.hpp"

#include "io/hdf5/content_digest.hpp"
#include "io/hdf5/library.hpp"
#include "io/hdf5/reader.hpp"
#include "src/core/atomic_file.hpp"
#include "src/core/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

namespace bcr::io {

using namespace hdf5;

namespace {

Handle make_space(const std::vector<std::size_t>& extents, const std::string& file, const std::string& object) {
  const std::vector<hsize_t> sizes(extents.begin(), extents.end());
  const hid_t id =
      sizes.empty() ? H5Screate(H5S_SCALAR) : H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr);
  return checked(id, H5Sclose, file, object, "a shape");
}

std::size_t product(const std::vector<std::size_t>& extents) {
  std::size_t elements = 1;
  for (const std::size_t extent : extents) elements *= extent;
  return elements;
}

/// Properties of a dataset in chunks of rows, each with its checksum. What is empty or a scalar has no chunks.
Handle chunk_properties(const std::vector<std::size_t>& extents, const std::size_t chunk_rows, const std::string& file,
                        const std::string& object) {
  Handle properties = checked(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, file, object, "a property list");
  if (extents.empty() || product(extents) == 0) return properties;
  std::vector<hsize_t> chunk(extents.begin(), extents.end());
  chunk[0] = std::min<hsize_t>(chunk[0], chunk_rows);
  check(H5Pset_chunk(properties.get(), static_cast<int>(chunk.size()), chunk.data()), file, object, "chunks");
  check(H5Pset_fletcher32(properties.get()), file, object, "checksums");
  check(H5Pset_fill_time(properties.get(), H5D_FILL_TIME_NEVER), file, object, "no filling");
  return properties;
}

/// As many rows as make a chunk of about one mebibyte.
std::size_t default_chunk_rows(const std::vector<std::size_t>& extents, const std::size_t element_bytes) {
  if (extents.empty() || product(extents) == 0) return 1;
  const std::size_t row_bytes = product(extents) / extents[0] * element_bytes;
  return std::max<std::size_t>(1, (std::size_t{1} << 20) / row_bytes);
}

}  // namespace

struct Hdf5Writer::State {
  explicit State(const std::filesystem::path& path) : name(path.string()), target(path) {}

  std::string name;
  AtomicFile target;  // outlives the HDF5 file, whose temporary it removes
  Handle file;
  Handle links;  // creates missing groups on the way
  std::map<std::string, std::vector<Leaf>> leaves;

  /// Digests of the rows from `first` on.
  void add_leaves(const std::string& object, const Handle& dataset, const std::size_t first,
                  const std::span<const std::byte> bytes) {
    const LeafRows plan = leaf_rows(dataset.get(), name, object);
    std::vector<Leaf>& list = leaves[object];
    list.resize(plan.leaves());
    const std::size_t leaf_bytes = plan.rows_per_leaf * plan.row_bytes;
    for (std::size_t begin = 0; begin < bytes.size(); begin += leaf_bytes)
      list[first / plan.rows_per_leaf + begin / leaf_bytes] =
          leaf_of(bytes.subspan(begin, std::min(leaf_bytes, bytes.size() - begin)));
  }

  Handle create_dataset(const std::string& object, const hid_t type, const Handle& space,
                        const hid_t properties) const {
    return checked(H5Dcreate2(file.get(), object.c_str(), type, space.get(), links.get(), properties, H5P_DEFAULT),
                   H5Dclose, name, object, "to create a dataset");
  }

  void set_attribute(const std::string& object, const std::string& attribute, const hid_t stored, const hid_t memory,
                     const Handle& space, const void* src) const {
    const std::string where = object + "@" + attribute;
    const Handle opened = checked(H5Acreate_by_name(file.get(), object.c_str(), attribute.c_str(), stored, space.get(),
                                                    H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                                  H5Aclose, name, where, "to create an attribute");
    check(H5Awrite(opened.get(), memory, src), name, where, "to write an attribute");
  }
};

Hdf5Writer::Hdf5Writer(const std::filesystem::path& path) : state_(std::make_unique<State>(path)) {
  const LibraryScope library;
  const std::string& name = state_->name;
  const Handle access = checked(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, name, "/", "a property list");
  check(H5Pset_libver_bounds(access.get(), H5F_LIBVER_V110, H5F_LIBVER_V110), name, "/", "file format 1.10");
  const std::string temporary = state_->target.temporary().string();
  state_->file = checked(H5Fcreate(temporary.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get()), H5Fclose, name, "/",
                         "to create a file");
  state_->links = checked(H5Pcreate(H5P_LINK_CREATE), H5Pclose, name, "/", "a property list");
  check(H5Pset_create_intermediate_group(state_->links.get(), 1), name, "/", "a property list");
  check(H5Pset_char_encoding(state_->links.get(), H5T_CSET_UTF8), name, "/", "a property list");
}

Hdf5Writer::~Hdf5Writer() {
  const LibraryScope library;
  state_.reset();
}

void Hdf5Writer::create_group(const std::string& group) {
  const LibraryScope library;
  checked(H5Gcreate2(state_->file.get(), group.c_str(), state_->links.get(), H5P_DEFAULT, H5P_DEFAULT), H5Gclose,
          state_->name, group, "to create a group");
}

void Hdf5Writer::create_chunked(const std::string& dataset, const Element element,
                                const std::vector<std::size_t>& extents, const std::size_t chunk_rows) {
  require<ShapeError>(!extents.empty() && product(extents) > 0 && chunk_rows > 0, "create " + dataset,
                      "at least one element and one row per chunk", fmt::format("[{}]", fmt::join(extents, ", ")));
  const LibraryScope library;
  const Handle space = make_space(extents, state_->name, dataset);
  const Handle properties = chunk_properties(extents, chunk_rows, state_->name, dataset);
  state_->create_dataset(dataset, stored_type(element), space, properties.get());
}

void Hdf5Writer::write_slab(const std::string& dataset, const Element element, const std::size_t first, const void* src,
                            const std::size_t size) {
  const LibraryScope library;
  const std::string& name = state_->name;
  const Handle opened =
      checked(H5Dopen2(state_->file.get(), dataset.c_str(), H5P_DEFAULT), H5Dclose, name, dataset, "a dataset");
  const Handle space = checked(H5Dget_space(opened.get()), H5Sclose, name, dataset, "a shape");
  std::vector<hsize_t> block(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space.get())));
  H5Sget_simple_extent_dims(space.get(), block.data(), nullptr);
  std::size_t row = 1;
  for (std::size_t d = 1; d < block.size(); ++d) row *= static_cast<std::size_t>(block[d]);
  if (size % row != 0 || first + size / row > block[0]) {
    throw ShapeError("write " + dataset, fmt::format("whole rows of {} elements within {} rows", row, block[0]),
                     fmt::format("{} elements from row {} on", size, first));
  }
  if (size == 0) return;
  const LeafRows plan = leaf_rows(opened.get(), name, dataset);
  const bool whole = first % plan.rows_per_leaf == 0 &&
                     (size / row % plan.rows_per_leaf == 0 || first + size / row == plan.rows);
  if (!whole) {
    throw ShapeError("write " + dataset, fmt::format("whole chunks of {} rows", plan.rows_per_leaf),
                     fmt::format("{} rows from row {} on", size / row, first));
  }
  state_->add_leaves(dataset, opened, first, {static_cast<const std::byte*>(src), size * plan.row_bytes / row});
  std::vector<hsize_t> start(block.size(), 0);
  start[0] = first;
  block[0] = size / row;
  const Handle source = checked(H5Screate_simple(static_cast<int>(block.size()), block.data(), nullptr), H5Sclose, name,
                                dataset, "a shape");
  check(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, block.data(), nullptr), name, dataset,
        "a selection");
  check(H5Dwrite(opened.get(), memory_type(element), source.get(), space.get(), H5P_DEFAULT, src), name, dataset,
        "to write rows");
}

void Hdf5Writer::write_all(const std::string& dataset, const Element element, const std::vector<std::size_t>& extents,
                           const void* src, const std::size_t size) {
  require<ShapeError>(product(extents) == size, "write " + dataset, fmt::format("[{}]", fmt::join(extents, ", ")),
                      fmt::format("{} elements", size));
  const LibraryScope library;
  const Handle space = make_space(extents, state_->name, dataset);
  const std::size_t rows = default_chunk_rows(extents, H5Tget_size(stored_type(element)));
  const Handle properties = chunk_properties(extents, rows, state_->name, dataset);
  const Handle opened = state_->create_dataset(dataset, stored_type(element), space, properties.get());
  state_->add_leaves(dataset, opened, 0,
                     {static_cast<const std::byte*>(src), size * H5Tget_size(stored_type(element))});
  if (size == 0) return;
  check(H5Dwrite(opened.get(), memory_type(element), H5S_ALL, H5S_ALL, H5P_DEFAULT, src), state_->name, dataset,
        "to write data");
}

void Hdf5Writer::write_strings(const std::string& dataset, const std::vector<std::string>& strings) {
  const LibraryScope library;
  std::size_t longest = 1;
  for (const std::string& text : strings) longest = std::max(longest, text.size());
  std::vector<char> padded(strings.size() * longest, '\0');
  for (std::size_t i = 0; i < strings.size(); ++i) {
    std::copy(strings[i].begin(), strings[i].end(), padded.begin() + static_cast<std::ptrdiff_t>(i * longest));
  }
  const Handle type = text_type(state_->name, longest);
  const Handle space = make_space({strings.size()}, state_->name, dataset);
  const Handle properties =
      chunk_properties({strings.size()}, default_chunk_rows({strings.size()}, longest), state_->name, dataset);
  const Handle opened = state_->create_dataset(dataset, type.get(), space, properties.get());
  state_->add_leaves(dataset, opened, 0, std::as_bytes(std::span(padded)));
  if (strings.empty()) return;
  check(H5Dwrite(opened.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, padded.data()), state_->name, dataset,
        "to write strings");
}

void Hdf5Writer::set_attribute(const std::string& object, const std::string& attribute, const std::string& text) {
  const LibraryScope library;
  const Handle type = text_type(state_->name, text.size());
  const Handle space = make_space({}, state_->name, object);
  state_->set_attribute(object, attribute, type.get(), type.get(), space, text.c_str());
}

void Hdf5Writer::set_attribute(const std::string& object, const std::string& attribute, const std::int64_t number) {
  const LibraryScope library;
  const Handle space = make_space({}, state_->name, object);
  state_->set_attribute(object, attribute, H5T_STD_I64LE, H5T_NATIVE_INT64, space, &number);
}

void Hdf5Writer::set_attribute(const std::string& object, const std::string& attribute,
                               const std::span<const double> numbers) {
  const LibraryScope library;
  const Handle space = make_space({numbers.size()}, state_->name, object);
  state_->set_attribute(object, attribute, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, space, numbers.data());
}

std::span<const Leaf> Hdf5Writer::leaves(const std::string& dataset) const {
  return state_->leaves.at(dataset);
}

void Hdf5Writer::write_digest() {
  const ContentListing listing = list_content(state_->file.get(), state_->name);
  std::vector<Leaf> all;
  for (const auto& [object, plan] : listing.datasets) {
    const std::vector<Leaf>& own = state_->leaves[object];
    const bool written = own.size() == plan.leaves() && std::find(own.begin(), own.end(), Leaf{}) == own.end();
    require<ShapeError>(written, "write " + object, "all its rows", "some that were never written");
    all.insert(all.end(), own.begin(), own.end());
  }
  const std::string root = root_of(listing, all);
  const auto bytes = std::as_bytes(std::span(all));
  write_all(digest_object, Element::u8, {all.size(), sizeof(Leaf)}, bytes.data(), bytes.size());
  set_attribute(digest_object, root_attribute, root);
}

void Hdf5Writer::commit(const std::function<void()>& before_replacing) {
  const LibraryScope library;
  write_digest();
  state_->links = Handle();
  check(H5Fflush(state_->file.get(), H5F_SCOPE_GLOBAL), state_->name, "/", "to write everything");
  check(state_->file.close(), state_->name, "/", "to close the file");
  state_->target.sync();
  Hdf5Reader(state_->target.temporary()).verify();
  if (before_replacing) before_replacing();
  state_->target.commit();
}

}  // namespace bcr::io
