#include "io/text/tokenizer.hpp"

#include "io/text/vocabulary.hpp"
#include "src/core/error.hpp"

#include <gmock/gmock.h>

namespace {

using namespace bcr::io;
using ::testing::ElementsAre;
using Words = std::vector<std::string>;

TEST(Tokenizer, TakesRunsOfThreeLettersAsWordsWhateverTheEncoding) {
  EXPECT_THAT(split_words("It's the X11 window_manager; caf\xe9s!", WordRule::letters),
              ElementsAre("the", "window", "manager", "caf"));
  EXPECT_THAT(split_words("", WordRule::letters), ElementsAre());
  EXPECT_THAT(split_words("ab cd", WordRule::letters), ElementsAre());
}

TEST(Tokenizer, SplitsAtAllWhiteSpaceOfUnicode) {
  EXPECT_THAT(split_words(" One\ttwo\u00a0three\u2003four\u3000", WordRule::spaces),
              ElementsAre("one", "two", "three", "four"));
  EXPECT_THAT(split_words("a\u200bb", WordRule::spaces), ElementsAre("a\u200bb"));  // which is no white space
}

TEST(Tokenizer, LowersLettersOfSeveralScriptsAndNothingElse) {
  EXPECT_EQ(lower_case("ABCxyz \u00c9\u00d6\u00d7\u00de \u0141\u0160\u017b\u0178 \u03a3 \u0416\u0401 \u4e2d"),
            "abcxyz \u00e9\u00f6\u00d7\u00fe \u0142\u0161\u017c\u0178 \u03c3 \u0436\u0451 \u4e2d");
}

TEST(Tokenizer, FindsTheFirstByteThatIsNotUtf8) {
  constexpr std::size_t none = std::string_view::npos;
  EXPECT_EQ(first_bad_utf8("plain \u00e9 \u20ac \U0001f600"), none);
  EXPECT_EQ(first_bad_utf8("caf\xe9"), 3U);                    // Latin-1
  EXPECT_EQ(first_bad_utf8("ab\xc3"), 2U);                     // cut
  EXPECT_EQ(first_bad_utf8("\xc0\x80"), 0U);                   // overlong
  EXPECT_EQ(first_bad_utf8("\xe0\x9f\xbf"), 0U);               // overlong
  EXPECT_EQ(first_bad_utf8("\xed\xa0\x80"), 0U);               // surrogate
  EXPECT_EQ(first_bad_utf8("\xf4\x90\x80\x80"), 0U);           // beyond U+10FFFF
  EXPECT_EQ(first_bad_utf8(std::string_view("a\0b", 3)), 1U);  // zero
}

TEST(Tokenizer, EndsSentencesBehindClosingQuotesAndBrackets) {
  const Words line = split_words("He said \" no . \" ( Or yes ! ) Really? why", WordRule::spaces);

  EXPECT_THAT(split_sentences(line), ElementsAre(Words{"he", "said", "\"", "no", ".", "\""},
                                                 Words{"(", "or", "yes", "!", ")"}, Words{"really?"}));
}

TEST(Vocabulary, OrdersWordsByFrequencyAndThenByName) {
  const Words words = {"pear", "fig", "apple", "never", "date"};
  const std::vector<std::uint64_t> counts = {2, 5, 2, 0, 1};

  EXPECT_THAT(most_frequent(words, counts, 0).words(), ElementsAre("fig", "apple", "pear", "date"));
  EXPECT_THAT(most_frequent(words, counts, 2).words(), ElementsAre("fig", "apple"));
}

TEST(Vocabulary, MapsTheWordsOfAnotherAndCallsTheRestUnknown) {
  const Vocabulary known({"the", "jet"});
  const Vocabulary other({"wren", "jet"});

  EXPECT_THAT(token_map(other, known), ElementsAre(unknown_word, padding, unknown_word, first_word + 1));
  EXPECT_EQ(known.size(), 4U);
  EXPECT_EQ(known.text(0), "<unk>");
  EXPECT_EQ(known.text(1), "<pad>");
  EXPECT_EQ(known.text(3), "jet");
}

TEST(Vocabulary, SurvivesJoiningAndRefusesDoubtfulWords) {
  const Vocabulary words({"the", "jet", "\u00e9t\u00e9"});

  EXPECT_EQ(Vocabulary::parse(words.joined(), "test"), words);
  EXPECT_EQ(Vocabulary::parse("", "test"), Vocabulary());
  EXPECT_EQ(words.sha256(), "870a7d0c88dfd3ca7330321cfa32273e0badb40dad856d545385f4b1b41acccb");
  EXPECT_THROW(Vocabulary::parse("a\n\nb", "test"), bcr::IoError);
  EXPECT_THROW(Vocabulary::parse("a\nb\na", "test"), bcr::IoError);
}

}  // namespace
