#ifndef BCR_IO_TEXT_TOKENIZER_HPP
#define BCR_IO_TEXT_TOKENIZER_HPP

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace bcr::io {

/// How a text becomes words. Both rules give lower case.
enum class WordRule {
  spaces,   ///< what stands between white space, of UTF-8
  letters,  ///< runs of A-Z and a-z with three letters or more, of any 8-bit encoding: the "no-short" form of Cachopo
};

/// The offset of the first byte that is not part of well-formed UTF-8 (no overlong forms, no surrogates, nothing
/// beyond U+10FFFF) or is a zero; npos if all is well.
std::size_t first_bad_utf8(std::string_view text);

/// Small letters for capitals of ASCII, Latin-1, Latin Extended-A, Greek and Cyrillic; everything else stays. The same
/// on every machine: no locale is asked.
std::string lower_case(std::string_view utf8);

/// Whether the first character of a text is a letter, to judge by the blocks of Unicode: not a digit, punctuation mark,
/// or symbol.
bool begins_with_letter(std::string_view utf8);

/// The words of a text by a rule. WordRule::spaces expects sound UTF-8 and knows all white space of Unicode.
std::vector<std::string> split_words(std::string_view text, WordRule rule);

/// The sentences of a line of words, none of which crosses its end. A sentence ends at "." "?" "!" or a word that ends
/// in ? or !; quotes and brackets that close behind it belong to it. What follows the last end is no sentence.
std::vector<std::vector<std::string>> split_sentences(const std::vector<std::string>& words);

}  // namespace bcr::io

#endif
