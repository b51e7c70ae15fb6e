#include "io/bytes/byte_stream.hpp"
#include "io/bytes/inflate_stream.hpp"
#include "io/bytes/zip_archive.hpp"
#include "src/core/error.hpp"
#include "tests/support/format_writers.hpp"
#include "tests/support/scratch_directory.hpp"

#include <gmock/gmock.h>

namespace {

using namespace bcr::io;
using bcr::IoError;
using bcr::test::Bytes;
using ::testing::HasSubstr;

class ByteStreams : public ::testing::Test {
 protected:
  std::filesystem::path write(const Bytes& bytes) const {
    bcr::test::write_bytes(directory_.path() / "bytes", bytes);
    return directory_.path() / "bytes";
  }

  bcr::test::ScratchDirectory directory_;
};

TEST_F(ByteStreams, ReadNumbersInEitherByteOrder) {
  FileStream stream(open_input(write({1, 2, 3, 4, 1, 2, 3, 4})));

  EXPECT_EQ(stream.read_number<std::uint32_t>("number"), 0x04030201U);
  EXPECT_EQ((stream.read_number<std::uint32_t, std::endian::big>("number")), 0x01020304U);
  EXPECT_NO_THROW(stream.expect_end());
}

TEST_F(ByteStreams, NameFileOffsetAndReasonWhenTheyEndEarly) {
  const auto path = write({1, 2, 3});
  FileStream stream(open_input(path));
  stream.read_number<std::uint16_t>("head");
  try {
    stream.read_number<std::uint32_t>("body");
    FAIL() << "a truncated file was read";
  } catch (const IoError& error) {
    EXPECT_EQ(error.operation(), "read " + path.string() + " at byte 3");
    EXPECT_EQ(error.expected(), "3 more bytes of body");
    EXPECT_EQ(error.received(), "the end of the data");
  }
}

TEST_F(ByteStreams, RefuseAnAbsurdSizeBeforeAllocating) {
  FileStream stream(open_input(write({1, 2, 3})));
  Bytes bytes;

  EXPECT_THROW(stream.append_to(bytes, std::uint64_t{1} << 60, "pixels"), IoError);
  EXPECT_EQ(bytes.capacity(), 0U);
}

TEST_F(ByteStreams, InflateMoreThanOneBuffer) {
  Bytes bytes(300001);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>((i * i) >> 7);
  const auto stream = open_plain_or_gzip(write(bcr::test::gzip(bytes)));
  Bytes inflated;

  stream->append_to(inflated, bytes.size(), "data");

  EXPECT_EQ(inflated, bytes);
  EXPECT_NO_THROW(stream->expect_end());
}

TEST_F(ByteStreams, BoundWhatADeflatedStreamCanInflateTo) {
  const Bytes zeros(1 << 20, 0);
  const Bytes packed = bcr::test::gzip(zeros);
  const auto stream = open_plain_or_gzip(write(packed));

  EXPECT_GE(stream->at_most(), zeros.size());
  EXPECT_LE(stream->at_most(), (packed.size() + 8) * 1032);
}

TEST_F(ByteStreams, RefuseAGzipFileWhoseChecksumIsWrong) {
  Bytes packed = bcr::test::gzip({1, 2, 3, 4, 5});
  packed[packed.size() - 8] ^= 1;
  const auto stream = open_plain_or_gzip(write(packed));
  Bytes bytes;

  EXPECT_THROW(
      {
        stream->append_to(bytes, 5, "data");
        stream->expect_end();
      },
      IoError);
}

TEST_F(ByteStreams, ReadTheEntriesOfAZipArchive) {
  const Bytes first = {1, 2, 3};
  const Bytes second(1000, 7);
  for (const auto packing : {bcr::test::Packing::plain, bcr::test::Packing::deflated}) {
    const ZipArchive archive(open_input(write(bcr::test::npz({{"a", first}, {"b", second}}, packing))));

    ASSERT_EQ(archive.entries().size(), 2U);
    Bytes bytes;
    const auto stream = archive.open(archive.entries()[1]);
    stream->append_to(bytes, second.size(), "entry");
    stream->expect_end();
    EXPECT_EQ(archive.entries()[1].name, "b");
    EXPECT_EQ(bytes, second);
  }
}

TEST_F(ByteStreams, RefuseAZipEntryWhoseContentChanged) {
  Bytes archived = bcr::test::npz({{"a", {1, 2, 3}}}, bcr::test::Packing::plain);
  archived[31] ^= 1;  // behind 30 bytes of local header and one of name
  const ZipArchive archive(open_input(write(archived)));
  const auto stream = archive.open(archive.entries()[0]);
  Bytes bytes;

  stream->append_to(bytes, 3, "entry");
  try {
    stream->expect_end();
    FAIL() << "a changed entry was accepted";
  } catch (const IoError& error) {
    EXPECT_THAT(error.what(), HasSubstr("CRC-32"));
  }
}

}  // namespace
