// What is particular to the readers of texts; what all formats share is in test_import_samples.
#include "io/datasets/registry.hpp"
#include "src/core/error.hpp"
#include "tests/support/format_samples.hpp"
#include "tests/support/scratch_directory.hpp"

#include <gmock/gmock.h>

namespace {

using namespace bcr::io;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class ImportTexts : public ::testing::Test {
 protected:
  std::filesystem::path put(const std::string& name, const std::string_view text) const {
    bcr::test::write_bytes(directory_.path() / name, {text.begin(), text.end()});
    return directory_.path() / name;
  }

  TextSet read(const std::string& format, const std::filesystem::path& path, ImportRequest request = {}) const {
    request.paths = {path};
    return std::get<TextSet>(import_set(format, request));
  }

  template <class E = bcr::IoError>
  void expect_refused(const std::string& format, const std::filesystem::path& path, const std::string& reason,
                      const ImportRequest& request = {}) const {
    try {
      read(format, path, request);
      FAIL() << "accepted: " << reason;
    } catch (const E& error) {
      EXPECT_THAT(error.what(), HasSubstr(reason));
    }
  }

  bcr::test::ScratchDirectory directory_;
};

TEST_F(ImportTexts, NameTheLineOfAnEmptyDocumentOrPassOverIt) {
  const auto path = put("lines", "one two\n \t\nthree\n");
  ImportRequest drop;
  drop.empty = EmptyDocuments::drop;

  expect_refused("text-lines", path, "lines, line 2");
  EXPECT_EQ(read("text-lines", path, drop).count(), 2U);
}

TEST_F(ImportTexts, NameTheLineAndByteOfABadEncoding) {
  expect_refused("text-lines", put("lines", "one\ncaf\xe9 two\n"), "lines, line 2");
  expect_refused("text-lines", put("lines", "one\ncaf\xe9 two\n"), "the byte 0xe9 in column 4");
  put("folder/class/a.txt", "caf\xe9");
  expect_refused("text-folder", directory_.path() / "folder", "at byte 3");
}

TEST_F(ImportTexts, ReadLinesThatAreLongerThanAnyBuffer) {
  std::string line;
  for (int i = 0; i < 50000; ++i) line += "word" + std::to_string(i % 7) + ' ';
  const TextSet set = read("text-lines", put("lines", "\xef\xbb\xbf" + line + "\r\n" + line));

  EXPECT_THAT(set.offsets, ElementsAre(0, 50000, 100000));
  EXPECT_EQ(set.vocabulary.words().size(), 7U);
}

TEST_F(ImportTexts, OfNewsgroupsMissNoGroup) {
  const auto& sample = bcr::test::format_sample("newsgroups");
  sample.write(directory_.path());
  std::filesystem::remove_all(directory_.path() / "20news-bydate-test/sci.space");

  expect_refused("20newsgroups", directory_.path() / "20news-bydate-test", "sci.space");
  expect_refused("20newsgroups", put("lines", "sci.space rocket\n"), "alt.atheism");
  expect_refused("20newsgroups", put("lines", "sci.spice rocket\n"), "'sci.spice'");
}

TEST_F(ImportTexts, OfNewsgroupsNeedAPartOfTheWholeDirectory) {
  bcr::test::format_sample("newsgroups").write(directory_.path());

  expect_refused<bcr::ConfigError>("20newsgroups", directory_.path(), "--part");
}

TEST_F(ImportTexts, OfImdbHaveBothClassesInTheOrderOfTheirNumbers) {
  for (const char* name : {"10_1.txt", "2_1.txt", "0_4.txt"}) put(std::string("test/neg/") + name, name);
  put("test/pos/0_9.txt", "good");
  ImportRequest request;
  request.part = Part::test;

  EXPECT_THAT(read("imdb", directory_.path(), request).ids,
              ElementsAre("neg/0_4.txt", "neg/2_1.txt", "neg/10_1.txt", "pos/0_9.txt"));
  std::filesystem::remove_all(directory_.path() / "test/pos");
  expect_refused("imdb", directory_.path(), "class pos", request);
  EXPECT_EQ(read("imdb", put("reviews", "so good\nso bad\n")).class_names, std::vector<std::string>{"unlabelled"});
}

TEST_F(ImportTexts, OfTablesTakeColumnsByNumberWithoutAHeader) {
  const auto path = put("news.csv", "\"3\",\"Title\",\"A text\"\n\"1\",\"Other\",\"No, text\"\n");
  ImportRequest request;
  request.text_columns = {"2", "3"};
  request.label_column = "1";

  const TextSet set = read("text-csv", path, request);

  EXPECT_THAT(bcr::test::documents_of(set), ElementsAre("title a text ", "other no, text "));
  EXPECT_THAT(set.class_names, ElementsAre("1", "3"));
  EXPECT_THAT(set.labels, ElementsAre(1, 0));
}

TEST_F(ImportTexts, OfTablesAreRefusedWithTheirLine) {
  expect_refused("text-csv", put("t.csv", "text,kind\na,b\n"), "a column 'label'");
  expect_refused("text-csv", put("t.csv", "text,label\na,b,c\n"), "t.csv, line 2");
  expect_refused("text-csv", put("t.csv", "text,label\n\"a,b\n"), "a closing quote");
  expect_refused("text-csv", put("t.csv", "text,label\n\"a\"b,c\n"), "a comma behind a closing quote");
  ImportRequest request;
  request.class_names = {"b", "c"};
  expect_refused("text-csv", put("t.csv", "text,label\na,b\n"), "class c", request);
  expect_refused("text-csv", put("t.csv", "text,label\na,d\n"), "'d'", request);
}

TEST_F(ImportTexts, ComeFromAReaderThatIsAddedFromOutside) {
  if (!import_formats().contains("three-words")) {
    import_formats().add({"three-words", "", "a test", [](const ImportRequest&) {
                            TextSetBuilder builder;
                            builder.add({"one", "two", "three"}, 0, {.file = "none"});
                            TextSet set = builder.take();
                            set.class_names = {"all"};
                            return set;
                          }});
  }

  EXPECT_EQ(read("three-words", "").tokens.size(), 3U);
  EXPECT_THAT(import_formats().name_list(), HasSubstr("three-words"));
  expect_refused<bcr::ConfigError>("tree-words", "", "did you mean 'three-words'?");
}

}  // namespace
