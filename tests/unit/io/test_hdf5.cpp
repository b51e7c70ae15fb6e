#include "io/hdf5/reader.hpp"
#include "io/hdf5/writer.hpp"
#include "src/core/error.hpp"
#include "src/core/sha256.hpp"
#include "tests/support/hdf5_forgery.hpp"
#include "tests/support/scratch_directory.hpp"

#include <gmock/gmock.h>

#include <numeric>
#include <thread>

namespace {

using namespace bcr::io;
using bcr::IoError;
using ::testing::HasSubstr;

class Hdf5 : public ::testing::Test {
 protected:
  bcr::test::ScratchDirectory directory_;
  std::filesystem::path path_ = directory_.path() / "file.h5";
};

template <class T>
std::vector<T> counting(const std::size_t size) {
  std::vector<T> values(size);
  std::iota(values.begin(), values.end(), T{1});
  return values;
}

template <class T>
void expect_round_trip(const std::filesystem::path& path) {
  const auto values = counting<T>(15);
  {
    Hdf5Writer writer(path);
    writer.write("/group/whole", {3, 5}, std::span(values));
    writer.create<T>("/group/chunked", {3, 5}, 2);
    writer.write_rows("/group/chunked", 0, std::span(values));
    writer.commit();
  }
  const Hdf5Reader reader(path);
  std::vector<T> rows(10);
  reader.read_rows("/group/chunked", 1, 2, std::span(rows));

  EXPECT_EQ(reader.read<T>("/group/whole"), values);
  EXPECT_TRUE(std::equal(rows.begin(), rows.end(), values.begin() + 5));
  EXPECT_EQ(reader.shape("/group/whole").element, element_of<T>());
  EXPECT_EQ(reader.shape("/group/whole").extents, (std::vector<std::size_t>{3, 5}));
}

TEST_F(Hdf5, GivesBackNumbersOfEveryType) {
  expect_round_trip<std::uint8_t>(path_);
  expect_round_trip<std::int32_t>(path_);
  expect_round_trip<std::int64_t>(path_);
  expect_round_trip<std::uint64_t>(path_);
  expect_round_trip<float>(path_);
  expect_round_trip<double>(path_);
}

TEST_F(Hdf5, GivesBackStringsAndAttributes) {
  const std::vector<std::string> names = {"cat", "", "Übergröße", "漢字"};
  const std::vector<double> numbers = {0.5, -1e300};
  {
    Hdf5Writer writer(path_);
    writer.write_strings("/names", names);
    writer.set_attribute("/", "text", std::string("Füße"));
    writer.set_attribute("/names", "number", std::int64_t{-7});
    writer.set_attribute("/", "numbers", numbers);
    writer.create_group("/a/b");
    writer.commit();
  }
  const Hdf5Reader reader(path_);

  EXPECT_EQ(reader.read_strings("/names"), names);
  EXPECT_EQ(reader.text_attribute("/", "text"), "Füße");
  EXPECT_EQ(reader.integer_attribute("/names", "number"), -7);
  EXPECT_EQ(reader.numbers_attribute("/", "numbers"), numbers);
  EXPECT_EQ(reader.members("/"), (std::vector<std::string>{"a", "checksums", "names"}));
  EXPECT_TRUE(reader.has("/a/b"));
  EXPECT_FALSE(reader.has("/a/c"));
  EXPECT_FALSE(reader.has("/x/y/z"));
  EXPECT_TRUE(reader.has_attribute("/", "text"));
  EXPECT_FALSE(reader.has_attribute("/", "nothing"));
}

TEST_F(Hdf5, AcceptsEmptyArrays) {
  {
    Hdf5Writer writer(path_);
    writer.write("/none", {0, 3}, std::span<const float>());
    writer.commit();
  }

  EXPECT_TRUE(Hdf5Reader(path_).read<float>("/none").empty());
}

TEST_F(Hdf5, AppearsOnlyWhenCommitted) {
  bcr::test::write_bytes(path_, {1, 2, 3});
  {
    Hdf5Writer writer(path_);
    const auto values = counting<float>(2);
    writer.write("/x", {2}, std::span(values));
  }

  EXPECT_EQ(bcr::test::read_bytes(path_), (bcr::test::Bytes{1, 2, 3}));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(directory_.path()), {}), 1) << "a temporary was left";
}

TEST_F(Hdf5, NamesFileAndObjectInErrorsAndQuotesTheLibrary) {
  {
    Hdf5Writer writer(path_);
    const auto values = counting<float>(2);
    writer.write("/x", {2}, std::span(values));
    writer.commit();
  }
  const Hdf5Reader reader(path_);
  testing::internal::CaptureStderr();
  try {
    reader.shape("/absent");
    FAIL() << "an absent dataset was opened";
  } catch (const IoError& error) {
    EXPECT_THAT(error.what(), HasSubstr(path_.string() + ":/absent"));
    EXPECT_THAT(error.received(), HasSubstr("not found"));
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "") << "HDF5 printed its error stack";
}

TEST_F(Hdf5, DoesNotConvertTypesSilently) {
  {
    Hdf5Writer writer(path_);
    const auto values = counting<double>(2);
    writer.write("/x", {2}, std::span(values));
    writer.commit();
  }
  const Hdf5Reader reader(path_);
  std::vector<double> three(3);

  EXPECT_THROW(reader.read<float>("/x"), IoError);
  EXPECT_THROW(reader.read<std::int32_t>("/x"), IoError);
  EXPECT_THROW(reader.read("/x", std::span(three)), IoError);
  EXPECT_THROW(reader.read_rows("/x", 1, 3, std::span(three)), IoError);
  EXPECT_THROW(reader.read_strings("/x"), IoError);
  EXPECT_THROW(reader.text_attribute("/", "absent"), IoError);
}

TEST_F(Hdf5, RefusesWhatIsNoHdf5File) {
  EXPECT_THROW(Hdf5Reader(directory_.path() / "absent.h5"), IoError);
  EXPECT_THROW(Hdf5Reader(directory_.path()), IoError);
  bcr::test::write_bytes(path_, {});
  EXPECT_THROW(Hdf5Reader{path_}, IoError);
  bcr::test::write_bytes(path_, bcr::test::Bytes(4096, 'x'));
  EXPECT_THROW(Hdf5Reader{path_}, IoError);
}

TEST_F(Hdf5, RefusesAWrongShapeOnWriting) {
  Hdf5Writer writer(path_);
  const auto values = counting<float>(6);
  writer.create<float>("/x", {2, 3}, 1);

  EXPECT_THROW(writer.write_rows("/x", 1, std::span(values)), bcr::ShapeError);
  EXPECT_THROW(writer.write_rows("/x", 0, std::span(values).first(4)), bcr::ShapeError);
  EXPECT_THROW(writer.write("/y", {7}, std::span(values)), bcr::ShapeError);
  EXPECT_THROW(writer.create<float>("/z", {0, 3}, 1), bcr::ShapeError);
}

TEST_F(Hdf5, WritesWholeChunksAndAllOfThem) {
  Hdf5Writer writer(path_);
  const auto values = counting<float>(10);
  writer.create<float>("/x", {10}, 4);
  writer.write_rows("/x", 0, std::span(values).first(4));

  EXPECT_THROW(writer.write_rows("/x", 2, std::span(values).first(4)), bcr::ShapeError);
  EXPECT_THROW(writer.write_rows("/x", 4, std::span(values).first(3)), bcr::ShapeError);
  EXPECT_THROW(writer.commit(), bcr::ShapeError) << "rows 4 to 10 were never written";
}

/// The root written down from its definition.
TEST_F(Hdf5, KnowsTheDigestOfItsContent) {
  const std::vector<std::uint8_t> values = {1, 2, 3, 4, 5, 6};
  {
    Hdf5Writer writer(path_);
    writer.create<std::uint8_t>("/a/rows", {3, 2}, 2);
    writer.write_rows("/a/rows", 0, std::span(values));
    writer.write_strings("/names", {"cat", "horse"});
    writer.set_attribute("/a", "text", std::string("hi"));
    writer.set_attribute("/", "seven", std::int64_t{7});
    writer.commit();
  }
  using namespace std::string_literals;
  const auto digest = [](const std::string& text) {
    const bcr::Sha256Digest bytes = bcr::Sha256().update(text).digest();
    return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  };
  const std::string leaves = digest("\1\2\3\4") + digest("\5\6") + digest("cat\0\0horse"s);
  const std::string listing =
      "group /\nattribute /@seven i64 []\n\7\0\0\0\0\0\0\0\n"
      "group /a\nattribute /a@text text2 []\nhi\n"
      "dataset /a/rows u8 [3, 2] by 2\ndataset /names text5 [2] by 2\n"s;
  const Hdf5Reader reader(path_);

  EXPECT_TRUE(reader.is_checked());
  EXPECT_EQ(reader.text_attribute("/checksums", "root"), bcr::sha256_hex(listing + leaves));
  const auto stored = reader.read<std::uint8_t>("/checksums");
  EXPECT_EQ(std::string(stored.begin(), stored.end()), leaves);
  ASSERT_EQ(reader.leaves("/a/rows").size(), 2U);
  EXPECT_EQ(std::memcmp(reader.leaves("/a/rows").data(), leaves.data(), 64), 0);
}

TEST_F(Hdf5, NoticesForgedRowsWhereverTheyAreRead) {
  const auto values = counting<std::uint8_t>(24);
  const auto write = [&] {
    Hdf5Writer writer(path_);
    writer.create<std::uint8_t>("/x", {12, 2}, 4);
    writer.write_rows("/x", 0, std::span(values));
    writer.commit();
  };
  write();
  const bcr::test::Bytes chunk(values.begin() + 8, values.begin() + 16);
  bcr::test::Bytes forged = chunk;
  forged[7] = 99;
  bcr::test::forge_chunk(path_, chunk, forged);
  const Hdf5Reader reader(path_);
  std::vector<std::uint8_t> rows(6);

  EXPECT_NO_THROW(reader.read_rows("/x", 1, 3, std::span(rows)));
  EXPECT_NO_THROW(reader.read_rows("/x", 9, 3, std::span(rows)));
  EXPECT_THROW(reader.read_rows("/x", 2, 3, std::span(rows)), IoError) << "row 4 itself is right, its chunk is not";
  EXPECT_THROW(reader.read<std::uint8_t>("/x"), IoError);
  EXPECT_THROW(reader.verify(), IoError);
  write();
  EXPECT_NO_THROW(Hdf5Reader(path_).verify());
}

TEST_F(Hdf5, CannotBeWrittenIntoAMissingDirectory) {
  EXPECT_THROW(Hdf5Writer(directory_.path() / "absent" / "file.h5"), IoError);
}

TEST_F(Hdf5, IsReadByTwoThreadsAtATime) {
  const auto values = counting<std::int64_t>(4096);
  {
    Hdf5Writer writer(path_);
    writer.create<std::int64_t>("/x", {4096}, 64);
    writer.write_rows("/x", 0, std::span(values));
    writer.commit();
  }
  const auto read_often = [this, &values](int& wrong) {
    const Hdf5Reader reader(path_);
    for (std::size_t first = 0; first < 4096; first += 32) {
      std::vector<std::int64_t> rows(32);
      reader.read_rows("/x", first, 32, std::span(rows));
      wrong += rows.front() != values[first];
    }
  };
  int wrong[2] = {0, 0};

  std::thread other(read_often, std::ref(wrong[1]));
  read_often(wrong[0]);
  other.join();

  EXPECT_EQ(wrong[0] + wrong[1], 0);
}

}  // namespace
