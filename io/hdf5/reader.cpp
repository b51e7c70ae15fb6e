#include "io/hdf5/reader.hpp"

#include "io/bytes/input_file.hpp"
#include "io/hdf5/content_digest.hpp"
#include "io/hdf5/library.hpp"
#include "src/core/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>

namespace bcr::io {

using namespace hdf5;

namespace {

// Deflate, the best packer among the filters of published files, packs at most 1032 bytes into one.
constexpr std::size_t largest_ratio = 1032;
constexpr std::size_t chunk_cache_bytes = std::size_t{1} << 25;
constexpr std::size_t largest_text = std::size_t{1} << 20;
constexpr std::size_t most_strings = std::size_t{1} << 20;

[[noreturn]] void refuse_kind(const std::string& file, const std::string& object, const std::string_view expected) {
  throw IoError(fmt::format("HDF5 {}:{}", file, object), expected, "something else");
}

/// Reads `count` strings of a stored type through `read(memory type, buffer)`.
template <class Read>
std::vector<std::string> collect_strings(const std::string& file, const std::string& object, const hid_t stored,
                                         const std::size_t count, const Read& read) {
  if (H5Tget_class(stored) != H5T_STRING) refuse_kind(file, object, "strings");
  // See text_type for why not.
  if (H5Tis_variable_str(stored) != 0) refuse_kind(file, object, "strings of fixed length");
  const std::size_t width = H5Tget_size(stored);
  if (width == 0 || width > largest_text) refuse_kind(file, object, "strings of sensible length");
  std::vector<std::string> strings;
  std::vector<char> raw(width * count);
  check(read(stored, raw.data()), file, object, "readable strings");
  for (std::size_t i = 0; i < count; ++i) {
    const char* begin = raw.data() + i * width;
    strings.emplace_back(begin, std::find(begin, begin + width, '\0'));
  }
  return strings;
}

std::vector<std::size_t> extents_of(const hid_t space) {
  std::vector<hsize_t> extents(static_cast<std::size_t>(std::max(0, H5Sget_simple_extent_ndims(space))));
  H5Sget_simple_extent_dims(space, extents.data(), nullptr);
  return {extents.begin(), extents.end()};
}

}  // namespace

struct Hdf5Reader::State {
  struct Dataset {
    Handle id;
    Hdf5Shape shape;
  };
  /// The digests of a dataset, and which of its leaves were found to be right.
  struct Leaves {
    LeafRows plan;
    std::span<const Leaf> expected;
    std::vector<bool> right;
  };

  std::string name;
  Handle file;
  std::map<std::string, Dataset> datasets;  // kept open, because the chunk cache lives as long as the identifier
  std::vector<Leaf> all_leaves;
  std::optional<std::map<std::string, Leaves>> checks;  // absent in files of others and of early programs

  Leaves* leaves(const std::string& object) {
    if (!checks) return nullptr;
    const auto found = checks->find(object);
    return found == checks->end() ? nullptr : &found->second;
  }

  /// Whole leaves, from row `first` on.
  void check_rows(const std::string& object, Leaves& leaves, const std::size_t first,
                  const std::span<const std::byte> bytes) const {
    const std::size_t leaf_bytes = leaves.plan.rows_per_leaf * leaves.plan.row_bytes;
    for (std::size_t begin = 0; begin < bytes.size(); begin += leaf_bytes) {
      const std::size_t leaf = first / leaves.plan.rows_per_leaf + begin / leaf_bytes;
      if (leaves.right[leaf]) continue;
      if (leaf_of(bytes.subspan(begin, std::min(leaf_bytes, bytes.size() - begin))) != leaves.expected[leaf])
        refuse_content(object, fmt::format("in rows {} to {}", leaf * leaves.plan.rows_per_leaf,
                                           std::min((leaf + 1) * leaves.plan.rows_per_leaf, leaves.plan.rows)));
      leaves.right[leaf] = true;
    }
  }

  [[noreturn]] void refuse_content(const std::string& object, const std::string& where) const {
    throw IoError(fmt::format("HDF5 {}:{}", name, object), "the content that was written, by its SHA-256",
                  "another, " + where);
  }

  void read_rows(const Dataset& opened, const std::string& object, const std::size_t first, const std::size_t count,
                 const hid_t memory, void* const dst) const {
    std::vector<hsize_t> start(opened.shape.extents.size(), 0);
    std::vector<hsize_t> block(opened.shape.extents.begin(), opened.shape.extents.end());
    start[0] = first;
    block[0] = count;
    const Handle source = checked(H5Dget_space(opened.id.get()), H5Sclose, name, object, "a shape");
    const Handle target = checked(H5Screate_simple(static_cast<int>(block.size()), block.data(), nullptr), H5Sclose,
                                  name, object, "a shape");
    check(H5Sselect_hyperslab(source.get(), H5S_SELECT_SET, start.data(), nullptr, block.data(), nullptr), name, object,
          "a selection");
    check(H5Dread(opened.id.get(), memory, target.get(), source.get(), H5P_DEFAULT, dst), name, object,
          fmt::format("readable rows {} to {}", first, first + count));
  }

  const Dataset& dataset(const std::string& object) {
    const auto found = datasets.find(object);
    if (found != datasets.end()) return found->second;
    const Handle access = checked(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose, name, object, "a property list");
    check(H5Pset_chunk_cache(access.get(), H5D_CHUNK_CACHE_NSLOTS_DEFAULT, chunk_cache_bytes, 1.0), name, object,
          "a chunk cache");
    Dataset opened;
    opened.id = checked(H5Dopen2(file.get(), object.c_str(), access.get()), H5Dclose, name, object, "a dataset");
    const Handle type = checked(H5Dget_type(opened.id.get()), H5Tclose, name, object, "a type");
    const Handle space = checked(H5Dget_space(opened.id.get()), H5Sclose, name, object, "a shape");
    opened.shape = {element_of_type(type.get()), extents_of(space.get())};
    require_stored(object, opened, H5Tget_size(type.get()));
    return datasets.emplace(object, std::move(opened)).first->second;
  }

  /// Refuses extents that the bytes in the file cannot fill.
  void require_stored(const std::string& object, const Dataset& opened, const std::size_t element_bytes) const {
    std::size_t limit = static_cast<std::size_t>(H5Dget_storage_size(opened.id.get()));
    limit = limit / std::max<std::size_t>(element_bytes, 1) * largest_ratio;
    std::size_t elements = 1;
    bool empty = false;
    for (const std::size_t extent : opened.shape.extents) empty = empty || extent == 0;
    for (const std::size_t extent : opened.shape.extents) {
      if (!empty && extent > limit / elements) {
        throw IoError(fmt::format("HDF5 {}:{}", name, object), "a shape that the stored bytes can fill",
                      fmt::format("[{}]", fmt::join(opened.shape.extents, ", ")));
      }
      if (!empty) elements *= extent;
    }
  }

  Handle attribute(const std::string& object, const std::string& attribute_name) const {
    return checked(H5Aopen_by_name(file.get(), object.c_str(), attribute_name.c_str(), H5P_DEFAULT, H5P_DEFAULT),
                   H5Aclose, name, object + "@" + attribute_name, "an attribute");
  }
};

Hdf5Reader::Hdf5Reader(const std::filesystem::path& path) : state_(std::make_unique<State>()) {
  const InputFile raw(path);  // refuses directories and empty files in plain words
  const LibraryScope library;
  state_->name = path.string();
  state_->file =
      checked(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, state_->name, "/", "an HDF5 file");
  haddr_t end = 0;
  check(H5Fget_eoa(state_->file.get(), &end), state_->name, "/", "a known end");
  if (end != raw.size()) refuse(state_->name, end, "the end of the HDF5 file", "trailing bytes");
  if (has(digest_object)) open_checks();
}

void Hdf5Reader::open_checks() {
  const std::vector<std::uint8_t> bytes = read<std::uint8_t>(digest_object);
  const std::string root = text_attribute(digest_object, root_attribute);
  const ContentListing listing = list_content(state_->file.get(), name());
  std::vector<Leaf>& leaves = state_->all_leaves;
  leaves.resize(bytes.size() / sizeof(Leaf));
  if (!leaves.empty()) std::memcpy(leaves.data(), bytes.data(), leaves.size() * sizeof(Leaf));
  std::size_t expected = 0;
  for (const auto& [object, plan] : listing.datasets) expected += plan.leaves();
  if (expected != leaves.size() || root_of(listing, leaves) != root)
    state_->refuse_content("/", "in names, shapes, attributes or digests");
  state_->checks.emplace();
  std::size_t first = 0;
  for (const auto& [object, plan] : listing.datasets) {
    const std::size_t count = plan.leaves();
    state_->checks->emplace(object, State::Leaves{plan, std::span<const Leaf>(leaves).subspan(first, count),
                                                  std::vector<bool>(count, false)});
    first += count;
  }
}

void Hdf5Reader::verify() const {
  if (!state_->checks) return;
  const LibraryScope library;
  std::vector<std::byte> bytes;
  for (auto& [object, leaves] : *state_->checks) {
    const State::Dataset& opened = state_->dataset(object);
    const Handle type = checked(H5Dget_type(opened.id.get()), H5Tclose, name(), object, "a type");
    const std::size_t step = leaves.plan.rows_per_leaf;
    for (std::size_t first = 0; first < leaves.plan.rows && leaves.plan.row_bytes > 0; first += step) {
      const std::size_t count = std::min(step, leaves.plan.rows - first);
      bytes.resize(count * leaves.plan.row_bytes);
      if (opened.shape.extents.empty())
        check(H5Dread(opened.id.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()), name(), object,
              "readable data");
      else
        state_->read_rows(opened, object, first, count, type.get(), bytes.data());
      state_->check_rows(object, leaves, first, bytes);
    }
  }
}

bool Hdf5Reader::is_checked() const noexcept {
  return state_->checks.has_value();
}

std::span<const Leaf> Hdf5Reader::leaves(const std::string& dataset) const {
  const State::Leaves* const found = state_->leaves(dataset);
  return found == nullptr ? std::span<const Leaf>() : found->expected;
}

Hdf5Reader::~Hdf5Reader() {
  const LibraryScope library;
  state_.reset();
}

Hdf5Reader::Hdf5Reader(Hdf5Reader&&) noexcept = default;
Hdf5Reader& Hdf5Reader::operator=(Hdf5Reader&&) noexcept = default;

const std::string& Hdf5Reader::name() const noexcept {
  return state_->name;
}

std::string Hdf5Reader::format() const {
  return has_attribute("/", "format") ? text_attribute("/", "format") : "none";
}

bool Hdf5Reader::has(const std::string& object) const {
  const LibraryScope library;
  if (object == "/") return true;
  // H5Lexists wants every step of the path to exist.
  for (std::size_t at = object.find('/', 1);; at = object.find('/', at + 1)) {
    const htri_t there = H5Lexists(state_->file.get(), object.substr(0, at).c_str(), H5P_DEFAULT);
    if (there < 0) fail(name(), object, "a readable group");  // damage is no absence
    if (there == 0) return false;
    if (at == std::string::npos) return true;
  }
}

bool Hdf5Reader::has_attribute(const std::string& object, const std::string& attribute) const {
  const LibraryScope library;
  if (!has(object)) return false;
  const htri_t there = H5Aexists_by_name(state_->file.get(), object.c_str(), attribute.c_str(), H5P_DEFAULT);
  if (there < 0) fail(name(), object + "@" + attribute, "readable attributes");
  return there > 0;
}

std::vector<std::string> Hdf5Reader::members(const std::string& group) const {
  const LibraryScope library;
  const Handle opened =
      checked(H5Gopen2(state_->file.get(), group.c_str(), H5P_DEFAULT), H5Gclose, name(), group, "a group");
  std::vector<std::string> names;
  const auto add = [](hid_t, const char* member, const H5L_info_t*, void* list) -> herr_t {
    static_cast<std::vector<std::string>*>(list)->emplace_back(member);
    return 0;
  };
  check(H5Literate(opened.get(), H5_INDEX_NAME, H5_ITER_INC, nullptr, add, &names), name(), group, "its members");
  return names;
}

Hdf5Shape Hdf5Reader::shape(const std::string& dataset) const {
  const LibraryScope library;
  return state_->dataset(dataset).shape;
}

std::size_t Hdf5Reader::checked_elements(const std::string& dataset, const Element element) const {
  const Hdf5Shape found = shape(dataset);
  if (found.element != element) {
    throw IoError(fmt::format("HDF5 {}:{}", name(), dataset), element_name(element), element_name(found.element));
  }
  return found.elements();
}

void Hdf5Reader::read_all(const std::string& dataset, const Element element, void* dst, const std::size_t size) const {
  const LibraryScope library;
  const std::size_t stored = checked_elements(dataset, element);
  if (stored != size) {
    throw IoError(fmt::format("HDF5 {}:{}", name(), dataset), fmt::format("{} elements", size), std::to_string(stored));
  }
  if (size == 0) return;
  check(H5Dread(state_->dataset(dataset).id.get(), memory_type(element), H5S_ALL, H5S_ALL, H5P_DEFAULT, dst), name(),
        dataset, "readable data");
  if (State::Leaves* const leaves = state_->leaves(dataset))
    state_->check_rows(dataset, *leaves, 0,
                       {static_cast<const std::byte*>(dst), leaves->plan.rows * leaves->plan.row_bytes});
}

void Hdf5Reader::read_slab(const std::string& dataset, const Element element, const std::size_t first,
                           const std::size_t count, void* dst, const std::size_t size) const {
  const LibraryScope library;
  checked_elements(dataset, element);
  const State::Dataset& opened = state_->dataset(dataset);
  const std::vector<std::size_t>& extents = opened.shape.extents;
  std::size_t row = 1;
  for (std::size_t d = 1; d < extents.size(); ++d) row *= extents[d];
  if (extents.empty() || first > extents[0] || count > extents[0] - first || size != count * row) {
    throw IoError(fmt::format("HDF5 {}:{}", name(), dataset),
                  fmt::format("rows {} to {}, {} elements", first, first + count, size),
                  fmt::format("a dataset of shape [{}]", fmt::join(extents, ", ")));
  }
  if (size == 0) return;
  State::Leaves* const leaves = state_->leaves(dataset);
  if (leaves == nullptr) return state_->read_rows(opened, dataset, first, count, memory_type(element), dst);
  const std::size_t step = leaves->plan.rows_per_leaf;
  const std::size_t begin = first / step * step;
  const std::size_t end = std::min((first + count + step - 1) / step * step, extents[0]);
  const std::size_t bytes = count * leaves->plan.row_bytes;
  bool right = true;  // all leaves that the rows are part of
  for (std::size_t leaf = begin / step; leaf * step < end; ++leaf) right = right && leaves->right[leaf];
  if (right || (begin == first && end == first + count)) {
    state_->read_rows(opened, dataset, first, count, memory_type(element), dst);
    if (!right) state_->check_rows(dataset, *leaves, first, {static_cast<const std::byte*>(dst), bytes});
    return;
  }
  std::vector<std::byte> whole((end - begin) * leaves->plan.row_bytes);
  state_->read_rows(opened, dataset, begin, end - begin, memory_type(element), whole.data());
  state_->check_rows(dataset, *leaves, begin, whole);
  std::memcpy(dst, whole.data() + (first - begin) * leaves->plan.row_bytes, bytes);
}

std::vector<std::string> Hdf5Reader::read_strings(const std::string& dataset) const {
  const LibraryScope library;
  const State::Dataset& opened = state_->dataset(dataset);
  if (opened.shape.extents.size() != 1 || opened.shape.extents[0] > most_strings) {
    throw IoError(fmt::format("HDF5 {}:{}", name(), dataset), "a list of strings",
                  fmt::format("shape [{}]", fmt::join(opened.shape.extents, ", ")));
  }
  const Handle type = checked(H5Dget_type(opened.id.get()), H5Tclose, name(), dataset, "a type");
  return collect_strings(
      name(), dataset, type.get(), opened.shape.extents[0], [&](const hid_t memory, void* const dst) {
        const herr_t status = H5Dread(opened.id.get(), memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, dst);
        State::Leaves* const leaves = status < 0 ? nullptr : state_->leaves(dataset);
        if (leaves != nullptr)
          state_->check_rows(dataset, *leaves, 0,
                             {static_cast<const std::byte*>(dst), leaves->plan.rows * leaves->plan.row_bytes});
        return status;
      });
}

std::string Hdf5Reader::text_attribute(const std::string& object, const std::string& attribute) const {
  const LibraryScope library;
  const Handle opened = state_->attribute(object, attribute);
  const Handle type = checked(H5Aget_type(opened.get()), H5Tclose, name(), object, "a type");
  const Handle space = checked(H5Aget_space(opened.get()), H5Sclose, name(), object, "a shape");
  if (H5Sget_simple_extent_npoints(space.get()) != 1) refuse_kind(name(), object + "@" + attribute, "one string");
  return collect_strings(name(), object + "@" + attribute, type.get(), 1,
                         [&opened](const hid_t memory, void* dst) { return H5Aread(opened.get(), memory, dst); })
      .front();
}

std::int64_t Hdf5Reader::integer_attribute(const std::string& object, const std::string& attribute) const {
  const LibraryScope library;
  const Handle opened = state_->attribute(object, attribute);
  const Handle type = checked(H5Aget_type(opened.get()), H5Tclose, name(), object, "a type");
  const Handle space = checked(H5Aget_space(opened.get()), H5Sclose, name(), object, "a shape");
  if (H5Sget_simple_extent_npoints(space.get()) != 1 || H5Tget_class(type.get()) != H5T_INTEGER) {
    refuse_kind(name(), object + "@" + attribute, "one integer");
  }
  std::int64_t value = 0;
  check(H5Aread(opened.get(), H5T_NATIVE_INT64, &value), name(), object + "@" + attribute, "one integer");
  return value;
}

std::vector<double> Hdf5Reader::numbers_attribute(const std::string& object, const std::string& attribute) const {
  const LibraryScope library;
  const Handle opened = state_->attribute(object, attribute);
  const Handle type = checked(H5Aget_type(opened.get()), H5Tclose, name(), object, "a type");
  const Handle space = checked(H5Aget_space(opened.get()), H5Sclose, name(), object, "a shape");
  const hssize_t count = H5Sget_simple_extent_npoints(space.get());
  // The library keeps attributes of up to 64 KiB in the object's header.
  if (count < 0 || count > 8192 || H5Tget_class(type.get()) != H5T_FLOAT) {
    refuse_kind(name(), object + "@" + attribute, "real numbers");
  }
  std::vector<double> values(static_cast<std::size_t>(count));
  check(H5Aread(opened.get(), H5T_NATIVE_DOUBLE, values.data()), name(), object + "@" + attribute, "real numbers");
  return values;
}

}  // namespace bcr::io
