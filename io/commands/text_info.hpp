#ifndef BCR_IO_COMMANDS_TEXT_INFO_HPP
#define BCR_IO_COMMANDS_TEXT_INFO_HPP

#include "io/hdf5/text_file.hpp"

namespace bcr::io {

/// What is worth knowing of the documents of a file.
struct TextSummary {
  std::uint64_t shortest = 0;  ///< tokens of a document
  std::uint64_t median = 0;
  std::uint64_t longest = 0;
  double mean = 0;
  std::size_t vocabulary = 0;  ///< words of the vocabulary below
  double unknown_share = 0;    ///< of all tokens, those that are no word of it

  struct Sample {
    std::size_t document;
    std::string text;  ///< its first words as the vocabulary knows them, others as <unk>
  };
  std::vector<Sample> samples;  ///< the first document of each of the first classes
};

/// Against a vocabulary: that of the file's own most frequent words, or of another file.
TextSummary summarise(const TextFile& file, const Vocabulary& vocabulary);

/// The `most` most frequent words of a file (0: all).
Vocabulary leading_words(const TextFile& file, std::size_t most);

}  // namespace bcr::io

#endif
