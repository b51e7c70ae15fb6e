// Damaged files: whatever a reader is given, it delivers a consistent set or throws our error, in bounded time and
// memory. BCR_MUTATIONS sets the number of damaged files per format (default 300).
#include "io/hdf5/image_file.hpp"
#include "io/hdf5/text_file.hpp"
#include "src/core/error.hpp"
#include "src/core/random.hpp"
#include "tests/support/format_samples.hpp"
#include "tests/support/scratch_directory.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdlib>

namespace {

using bcr::Random;
using bcr::test::Bytes;
using bcr::test::FormatSample;
using bcr::test::ScratchDirectory;

std::size_t mutation_count() {
  const char* text = std::getenv("BCR_MUTATIONS");
  return text == nullptr ? 300 : static_cast<std::size_t>(std::strtoull(text, nullptr, 10));
}

/// One to four of: a flipped bit, a random byte, an extreme byte, a cut, an insertion, a copied or removed stretch.
Bytes mutated(Bytes bytes, Random& random) {
  const std::uint64_t changes = 1 + random.below(4);
  for (std::uint64_t change = 0; change < changes && !bytes.empty(); ++change) {
    const std::size_t at = random.below(bytes.size());
    const auto place = bytes.begin() + static_cast<std::ptrdiff_t>(at);
    const std::size_t length = 1 + random.below(std::min<std::size_t>(16, bytes.size() - at));
    const auto behind = place + static_cast<std::ptrdiff_t>(length);
    switch (random.below(8)) {
      case 0:
        *place ^= static_cast<std::uint8_t>(1U << random.below(8));
        break;
      case 1:
        *place = static_cast<std::uint8_t>(random.below(256));
        break;
      case 2:
        std::fill(place, behind, std::uint8_t{0xff});
        break;
      case 3:
        std::fill(place, behind, std::uint8_t{0});
        break;
      case 4:
        bytes.resize(at);
        break;
      case 5:
        bytes.insert(place, length, static_cast<std::uint8_t>(random.below(256)));
        break;
      case 6:
        bytes.erase(place, behind);
        break;
      default: {
        const Bytes copy(place, behind);
        const auto target = static_cast<std::ptrdiff_t>(random.below(bytes.size()));
        bytes.insert(bytes.begin() + target, copy.begin(), copy.end());
      }
    }
  }
  return bytes;
}

long peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

class MutatedFiles : public ::testing::TestWithParam<std::string> {
 protected:
  /// Runs `read` on damaged variants of `bytes`, which `file` is given in turn.
  template <class Read>
  void damage(const std::filesystem::path& file, const Bytes& bytes, const std::size_t count, const Read& read) {
    for (std::size_t i = 0; i < count; ++i) {
      Random random(20240701, bcr::Stream("mutations"), 0, i);
      bcr::test::write_bytes(file, mutated(bytes, random));
      const auto begin = std::chrono::steady_clock::now();
      try {
        read();
        ++accepted_;
      } catch (const bcr::Error&) {
        ++refused_;
      }
      const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
      ASSERT_LT(seconds.count(), 20) << "mutation " << i << " of " << file;
    }
    bcr::test::write_bytes(file, bytes);
  }

  ScratchDirectory directory_;
  std::size_t accepted_ = 0;
  std::size_t refused_ = 0;
};

TEST_P(MutatedFiles, AreReadOrRefusedButNeverCrash) {
  const FormatSample& sample = bcr::test::format_sample(GetParam());
  sample.write(directory_.path());
  const long before = peak_megabytes();
  const std::size_t per_file = mutation_count() / sample.files.size() + 1;

  for (const FormatSample::File& file : sample.files) {
    damage(directory_.path() / file.name, file.bytes, per_file, [&] { sample.read(directory_.path()); });
  }

  RecordProperty("accepted", static_cast<int>(accepted_));
  RecordProperty("refused", static_cast<int>(refused_));
  EXPECT_GT(refused_, 0U);
  EXPECT_LT(peak_megabytes() - before, 1024) << "a damaged header made a reader allocate";
}

INSTANTIATE_TEST_SUITE_P(AllFormats, MutatedFiles, ::testing::ValuesIn(bcr::test::sample_names()),
                         [](const auto& test) { return test.param; });

using MutatedDataFiles = MutatedFiles;

TEST_P(MutatedDataFiles, AreReadOrRefusedButNeverCrash) {
  const auto path = directory_.path() / "data.h5";
  const auto set = bcr::test::patterned_set(5, 4, 4, 3, 3);
  bcr::io::write_image_file(path, set);
  const Bytes bytes = bcr::test::read_bytes(path);

  damage(path, bytes, mutation_count(), [&] {
    const bcr::io::ImageFile file(path);
    file.verify();
    // What passes is the original: damage to unused bytes may go unnoticed, damage to data may not.
    ASSERT_EQ(file.read_all().images, set.images);
    ASSERT_EQ(file.labels(), set.labels);
    ASSERT_EQ(file.info().class_names, set.class_names);
  });

  EXPECT_GT(refused_, 0U);
}

TEST_P(MutatedDataFiles, OfTextsAreReadOrRefusedButNeverCrash) {
  const auto path = directory_.path() / "texts.h5";
  const auto set = std::get<bcr::io::TextSet>(bcr::test::format_sample("text_csv").expected);
  bcr::io::write_text_file(path, set);

  damage(path, bcr::test::read_bytes(path), mutation_count(), [&] {
    const bcr::io::TextFile file(path);
    file.verify();
    ASSERT_EQ(bcr::test::documents_of(file.read_all()), bcr::test::documents_of(set));
    ASSERT_EQ(file.labels(), set.labels);
  });

  EXPECT_GT(refused_, 0U);
}

INSTANTIATE_TEST_SUITE_P(Hdf5, MutatedDataFiles, ::testing::Values("h5"), [](const auto& test) { return test.param; });

}  // namespace
