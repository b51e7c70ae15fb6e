// Published files, where they are: Fashion-MNIST from the Debian package dataset-fashion-mnist (or BCR_FASHION_MNIST),
// the others under BCR_TEST_DATA. The expected digests were computed by other software from the same files.
#include "io/datasets/registry.hpp"
#include "io/hdf5/image_file.hpp"
#include "tests/support/scratch_directory.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <ostream>

namespace {

using namespace bcr::io;
namespace fs = std::filesystem;

fs::path fashion_mnist() {
  const char* place = std::getenv("BCR_FASHION_MNIST");
  return place == nullptr ? "/usr/share/datasets/fashion-mnist" : place;
}

fs::path test_data(const std::string& name) {
  const char* place = std::getenv("BCR_TEST_DATA");
  return place == nullptr ? fs::path() : fs::path(place) / name;
}

ImageSet import_part(const std::string& format, const fs::path& path, const Part part) {
  ImportRequest request;
  request.paths = {path};
  request.part = part;
  return std::get<ImageSet>(import_set(format, request));
}

TEST(RealData, FashionMnistHasItsKnownPixels) {
  if (!fs::exists(fashion_mnist())) GTEST_SKIP() << "no Fashion-MNIST: apt install dataset-fashion-mnist";
  const ImageSet train = import_part("fashion-mnist", fashion_mnist(), Part::train);
  const ImageSet all = import_part("fashion-mnist", fashion_mnist(), Part::all);

  EXPECT_EQ(train.count, 60000U);
  EXPECT_EQ(content_sha256(train), "c7d8cfe8172756709eda8bbe8b201cb44f70785b4cd9974a82408b36cc1f72e4");
  EXPECT_EQ(all.count, 70000U);
  EXPECT_EQ(content_sha256(all), "06a254446df5df7b010e3758b59611ac2654722bf0942c5b7759926f5e809d35");
  EXPECT_EQ(class_counts(all.labels, 10), std::vector<std::size_t>(10, 7000));
}

TEST(RealData, FashionMnistSurvivesTheRoundTripThroughAFile) {
  if (!fs::exists(fashion_mnist())) GTEST_SKIP() << "no Fashion-MNIST: apt install dataset-fashion-mnist";
  const bcr::test::ScratchDirectory directory;
  const ImageSet test = import_part("fashion-mnist", fashion_mnist(), Part::test);

  write_image_file(directory.path() / "test.h5", test);
  const ImageFile file(directory.path() / "test.h5");

  EXPECT_NO_THROW(file.verify());
  EXPECT_EQ(file.info().sha256, "8bfa5521086ee1081d75c7df0b81619463483e0dcc9db01a8dbaa93d0382ee31");
}

TEST(RealData, MnistTestDigitsHaveTheirKnownPixels) {
  const fs::path path = test_data("extra/mnist");
  if (!fs::exists(path)) GTEST_SKIP() << "no extra/mnist under BCR_TEST_DATA";

  EXPECT_EQ(content_sha256(import_part("idx", path, Part::test)),
            "45a60edfded3b2bb860a7fd195c83431011e7f04318268b4f2de30030af9444e");
}

TEST(RealData, Cifar10HasItsKnownPixels) {
  const fs::path path = test_data("cifar-10-batches-bin");
  if (!fs::exists(path)) GTEST_SKIP() << "no cifar-10-batches-bin under BCR_TEST_DATA";

  EXPECT_EQ(content_sha256(import_part("cifar10", path, Part::train)),
            "72c15e60c081b70e34054cb162580e0d24094d4efdce45b6c8c1fe5acc39221e");
  EXPECT_EQ(content_sha256(import_part("cifar10", path, Part::test)),
            "8353b1fbf11acba6dc8b5e9d2fb108294de95b6e979d31428bf914289e4189c5");
}

TEST(RealData, Cifar100HasItsKnownPixels) {
  const fs::path path = test_data("cifar-100-binary/train_first100perclass.bin");
  if (!fs::exists(path)) GTEST_SKIP() << "no cifar-100-binary under BCR_TEST_DATA";
  const ImageSet set = import_part("cifar100", path, Part::unstated);

  EXPECT_EQ(content_sha256(set), "53095a7123432d84fad280513de426c40c7f10bce63075fdd464bfba02b9b9bd");
  EXPECT_EQ(class_counts(set.labels, 100), std::vector<std::size_t>(100, 100));
}

TEST(RealData, TinyImagenetIsDecodedToItsKnownPixels) {
  const fs::path path = test_data("tinyimagenet/tiny-imagenet-200");
  if (!fs::exists(path)) GTEST_SKIP() << "no tinyimagenet/tiny-imagenet-200 under BCR_TEST_DATA";
  const ImageSet set = import_part("tiny-imagenet", path, Part::test);

  EXPECT_EQ(set.count, 10000U);
  EXPECT_EQ(class_counts(set.labels, 200), std::vector<std::size_t>(200, 50));
  // As libjpeg-turbo decodes it; another library may differ in last bits.
  EXPECT_EQ(content_sha256(set), "057edac844d5c7f39548e143bb2f7dad9fc393df9b987180a58605880bb54bcb");
}

/// Counts of an independent reading of the same files.
struct TextCase {
  std::string format;
  std::vector<std::string> files;
  Part part;
  std::size_t documents;
};

/// Part of the name of a test.
void PrintTo(const TextCase& text, std::ostream* const out) {
  *out << text.documents << " documents of " << text.format;
}

class RealTexts : public ::testing::TestWithParam<TextCase> {};

TEST_P(RealTexts, HaveTheirKnownNumberOfDocuments) {
  ImportRequest request;
  request.part = GetParam().part;
  for (const std::string& file : GetParam().files) {
    request.paths.push_back(test_data("text") / file);
    if (!fs::exists(request.paths.back())) GTEST_SKIP() << "no text/" << file << " under BCR_TEST_DATA";
  }

  EXPECT_EQ(std::get<TextSet>(import_set(GetParam().format, request)).count(), GetParam().documents);
}

INSTANTIATE_TEST_SUITE_P(Table6, RealTexts,
                         ::testing::Values(TextCase{"20newsgroups", {"20news-bydate-train"}, Part::unstated, 11314},
                                           TextCase{"20newsgroups", {"20news-bydate-test"}, Part::unstated, 7532},
                                           TextCase{"wikitext",
                                                    {"wikitext-103/wiki.train.tokens.first2.6MB",
                                                     "wikitext-103/wiki.valid.tokens", "wikitext-103/wiki.test.tokens"},
                                                    Part::unstated,
                                                    33259},
                                           TextCase{"text-lines", {"oe/multi30k_train.txt"}, Part::unstated, 29000},
                                           TextCase{"text-lines", {"oe/wmt16_sentences"}, Part::unstated, 22191}),
                         [](const auto& test) {
                           std::string name = test.param.files[0];
                           std::erase_if(name,
                                         [](const char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; });
                           return name;
                         });

}  // namespace
