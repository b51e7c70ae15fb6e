#ifndef BCR_IO_TEXT_VOCABULARY_HPP
#define BCR_IO_TEXT_VOCABULARY_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bcr::io {

/// Tokens that are no words. Words have the tokens from first_word on.
inline constexpr std::int32_t unknown_word = 0;
inline constexpr std::int32_t padding = 1;
inline constexpr std::int32_t first_word = 2;

/// An ordered list of words, the most frequent first, those of equal frequency in the order of their bytes: token
/// first_word + i is word i, 0 stands for every other word ("<unk>") and 1 fills the front of short documents
/// ("<pad>").
class Vocabulary {
 public:
  Vocabulary() = default;
  explicit Vocabulary(std::vector<std::string> words) : words_(std::move(words)) {}

  const std::vector<std::string>& words() const noexcept { return words_; }
  /// Tokens: the words and the two that are none.
  std::size_t size() const noexcept { return words_.size() + static_cast<std::size_t>(first_word); }

  /// "<unk>", "<pad>" or the word.
  std::string_view text(std::int32_t token) const;

  /// The words, each but the last with a line feed behind it: how files keep them.
  std::string joined() const;
  /// Of joined words. Throws an IoError that names `origin` if a word is empty or occurs twice.
  static Vocabulary parse(std::string_view joined, const std::string& origin);
  /// SHA-256 of joined(), in hexadecimal.
  std::string sha256() const;

  bool operator==(const Vocabulary&) const = default;

 private:
  std::vector<std::string> words_;
};

/// The `most` words that occur most often (all: 0), where word i of `words` occurs counts[i] times; none that never
/// occurs.
Vocabulary most_frequent(std::span<const std::string> words, std::span<const std::uint64_t> counts, std::size_t most);

/// For each token of `from`, the token of the same word in `to`, or unknown_word. <unk> and <pad> stay what they are.
std::vector<std::int32_t> token_map(const Vocabulary& from, const Vocabulary& to);

}  // namespace bcr::io

#endif
