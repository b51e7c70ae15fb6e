#include "io/bytes/zip_archive.hpp"

#include "io/bytes/inflate_stream.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>

namespace bcr::io {

namespace {

constexpr std::uint32_t local_header_magic = 0x04034b50;
constexpr std::uint32_t directory_magic = 0x02014b50;
constexpr std::uint32_t end_magic = 0x06054b50;
constexpr std::uint32_t zip64_end_magic = 0x06064b50;
constexpr std::uint32_t zip64_locator_magic = 0x07064b50;
constexpr std::uint64_t end_bytes = 22;
constexpr std::uint64_t zip64_end_bytes = 56;
constexpr std::uint64_t zip64_locator_bytes = 20;
constexpr std::uint64_t directory_entry_bytes = 46;
constexpr std::uint16_t zip64_extra_id = 1;
constexpr std::uint32_t in_zip64 = 0xffffffff;

/// Where the central directory lies and how many entries it has.
struct DirectoryPlace {
  std::uint64_t entries = 0;
  std::uint64_t size = 0;
  std::uint64_t offset = 0;
  std::uint64_t end_record = 0;  ///< first byte behind the directory
};

void expect_magic(ByteStream& stream, const std::uint32_t magic, const std::string_view what) {
  const auto found = stream.read_number<std::uint32_t>(what);
  if (found != magic) stream.refuse_here(fmt::format("{} {:#010x}", what, magic), fmt::format("{:#010x}", found));
}

DirectoryPlace read_zip64_place(const SharedFile& file, const std::uint64_t end_record) {
  if (end_record < zip64_end_bytes + zip64_locator_bytes) {
    refuse(file->name(), end_record, "a zip64 end record before the end record", "too few bytes");
  }
  FileStream locator(file, end_record - zip64_locator_bytes, end_record);
  expect_magic(locator, zip64_locator_magic, "zip64 locator");
  locator.skip(4, "disk number");
  const auto record = locator.read_number<std::uint64_t>("zip64 record offset");
  if (record != end_record - zip64_locator_bytes - zip64_end_bytes) {
    locator.refuse_here("a zip64 record right before its locator", fmt::format("offset {}", record));
  }
  FileStream stream(file, record, end_record);
  expect_magic(stream, zip64_end_magic, "zip64 end record");
  stream.skip(28, "zip64 end record");  // its size, versions, disks, entries on this disk
  DirectoryPlace place;
  place.entries = stream.read_number<std::uint64_t>("entry count");
  place.size = stream.read_number<std::uint64_t>("directory size");
  place.offset = stream.read_number<std::uint64_t>("directory offset");
  place.end_record = record;
  return place;
}

DirectoryPlace find_directory(const SharedFile& file) {
  if (file->size() < end_bytes) refuse(file->name(), 0, "a zip archive", fmt::format("{} bytes", file->size()));
  const std::uint64_t end_record = file->size() - end_bytes;
  FileStream end(file, end_record, file->size());
  expect_magic(end, end_magic, "end record of a zip archive without comment");
  end.skip(6, "disk numbers");
  DirectoryPlace place;
  place.entries = end.read_number<std::uint16_t>("entry count");
  place.size = end.read_number<std::uint32_t>("directory size");
  place.offset = end.read_number<std::uint32_t>("directory offset");
  place.end_record = end_record;
  if (end.read_number<std::uint16_t>("comment length") != 0) end.refuse_here("no archive comment", "one");
  if (place.entries == 0xffff || place.size == in_zip64 || place.offset == in_zip64) {
    place = read_zip64_place(file, end_record);
  }
  if (place.offset > place.end_record || place.size != place.end_record - place.offset) {
    refuse(file->name(), end_record, "a directory that ends where the end record begins",
           fmt::format("{} bytes at byte {}", place.size, place.offset));
  }
  if (place.entries > place.size / directory_entry_bytes) {
    refuse(file->name(), end_record, "a directory with room for its entries",
           fmt::format("{} entries in {} bytes", place.entries, place.size));
  }
  return place;
}

std::string read_text(ByteStream& stream, const std::size_t length, const std::string_view what) {
  std::string text(length, '\0');
  stream.read_exact({reinterpret_cast<std::uint8_t*>(text.data()), text.size()}, what);
  return text;
}

/// The zip64 extra field holds, in this order, those of the numbers that do not fit 32 bits.
void read_extra(ByteStream& stream, std::size_t length, ZipEntry& entry) {
  while (length >= 4) {
    const auto id = stream.read_number<std::uint16_t>("extra field");
    std::size_t size = stream.read_number<std::uint16_t>("extra field");
    length -= 4;
    if (size > length) stream.refuse_here("an extra field within its entry", fmt::format("{} bytes", size));
    length -= size;
    for (std::uint64_t* number : {&entry.size, &entry.packed_size, &entry.offset}) {
      if (id != zip64_extra_id || *number != in_zip64 || size < 8) continue;
      *number = stream.read_number<std::uint64_t>("zip64 extra field");
      size -= 8;
    }
    stream.skip(size, "extra field");
  }
  stream.skip(length, "extra field");
}

ZipEntry read_directory_entry(ByteStream& stream) {
  ZipEntry entry;
  expect_magic(stream, directory_magic, "directory entry");
  stream.skip(4, "versions");
  const auto flags = stream.read_number<std::uint16_t>("flags");
  if ((flags & 1U) != 0) stream.refuse_here("an entry that is not encrypted", "an encrypted one");
  entry.method = stream.read_number<std::uint16_t>("method");
  if (entry.method != 0 && entry.method != 8) {
    stream.refuse_here("method 0 (stored) or 8 (deflated)", std::to_string(entry.method));
  }
  stream.skip(4, "time");
  entry.crc = stream.read_number<std::uint32_t>("CRC");
  entry.packed_size = stream.read_number<std::uint32_t>("packed size");
  entry.size = stream.read_number<std::uint32_t>("size");
  const auto name_length = stream.read_number<std::uint16_t>("name length");
  const auto extra_length = stream.read_number<std::uint16_t>("extra length");
  const auto comment_length = stream.read_number<std::uint16_t>("comment length");
  stream.skip(8, "disk number and attributes");
  entry.offset = stream.read_number<std::uint32_t>("offset");
  entry.name = read_text(stream, name_length, "entry name");
  read_extra(stream, extra_length, entry);
  stream.skip(comment_length, "entry comment");
  return entry;
}

}  // namespace

ZipArchive::ZipArchive(SharedFile file) : file_(std::move(file)) {
  const DirectoryPlace place = find_directory(file_);
  directory_offset_ = place.offset;
  FileStream stream(file_, place.offset, place.end_record);
  for (std::uint64_t i = 0; i < place.entries; ++i) entries_.push_back(read_directory_entry(stream));
  stream.expect_end();
}

std::unique_ptr<ByteStream> ZipArchive::open(const ZipEntry& entry) const {
  if (entry.offset > directory_offset_) {
    refuse(file_->name(), entry.offset, "an entry before the directory", "one behind it");
  }
  FileStream header(file_, entry.offset, directory_offset_);
  expect_magic(header, local_header_magic, "local header");
  header.skip(22, "local header");
  const auto name_length = header.read_number<std::uint16_t>("name length");
  const auto extra_length = header.read_number<std::uint16_t>("extra length");
  const std::string name = read_text(header, name_length, "entry name");
  if (name != entry.name) header.refuse_here(fmt::format("the name {} of the directory", entry.name), name);
  header.skip(extra_length, "extra field");
  header.require_available(entry.packed_size, "entry " + entry.name);
  std::unique_ptr<ByteStream> stream =
      std::make_unique<FileStream>(file_, header.offset(), header.offset() + entry.packed_size);
  if (entry.method == 8) stream = std::make_unique<InflateStream>(std::move(stream), DeflateWrapper::raw);
  if (entry.size > stream->at_most()) {
    stream->refuse_here(fmt::format("{} bytes of {}", entry.size, entry.name),
                        fmt::format("at most {}", stream->at_most()));
  }
  return std::make_unique<CheckedStream>(std::move(stream), entry.size, entry.crc);
}

CheckedStream::CheckedStream(std::unique_ptr<ByteStream> source, const std::uint64_t size, const std::uint32_t crc)
    : ByteStream(source->name(), source->offset()), source_(std::move(source)), left_(size), expected_crc_(crc) {}

std::uint64_t CheckedStream::at_most() const noexcept {
  return left_;
}

std::size_t CheckedStream::read_some(const std::span<std::uint8_t> dst) {
  const auto step = static_cast<std::size_t>(std::min<std::uint64_t>(dst.size(), left_));
  if (step == 0) {
    source_->expect_end();
    if (crc_ != expected_crc_) {
      refuse_here(fmt::format("CRC-32 {:08x}", expected_crc_), fmt::format("{:08x}", crc_));
    }
    return 0;
  }
  source_->read_exact(dst.first(step), "zip entry");
  crc_ = static_cast<std::uint32_t>(crc32_z(crc_, dst.data(), step));
  left_ -= step;
  return step;
}

}  // namespace bcr::io
