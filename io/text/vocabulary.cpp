#include "io/text/vocabulary.hpp"

#include "src/core/error.hpp"
#include "src/core/sha256.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <unordered_set>

namespace bcr::io {

std::string_view Vocabulary::text(const std::int32_t token) const {
  if (token == unknown_word) return "<unk>";
  if (token == padding) return "<pad>";
  return words_.at(static_cast<std::size_t>(token - first_word));
}

std::string Vocabulary::joined() const {
  std::string text;
  for (const std::string& word : words_) text.append(word).push_back('\n');
  if (!text.empty()) text.pop_back();
  return text;
}

Vocabulary Vocabulary::parse(const std::string_view joined, const std::string& origin) {
  std::vector<std::string> words;
  std::unordered_set<std::string_view> seen;
  for (std::size_t begin = 0; begin <= joined.size() && !joined.empty();) {
    const std::size_t end = std::min(joined.find('\n', begin), joined.size());
    const std::string_view word = joined.substr(begin, end - begin);
    if (word.empty()) throw IoError("words of " + origin, "no empty word", fmt::format("word {} empty", words.size()));
    if (!seen.insert(word).second) throw IoError("words of " + origin, "each word once", word);
    words.emplace_back(word);
    begin = end + 1;
  }
  return Vocabulary(std::move(words));
}

std::string Vocabulary::sha256() const {
  return sha256_hex(joined());
}

Vocabulary most_frequent(const std::span<const std::string> words, const std::span<const std::uint64_t> counts,
                         const std::size_t most) {
  require<ShapeError>(words.size() == counts.size(), "most_frequent", "a count for each word",
                      std::to_string(counts.size()) + " of " + std::to_string(words.size()));
  std::vector<std::size_t> order(words.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::erase_if(order, [&](const std::size_t i) { return counts[i] == 0; });
  std::sort(order.begin(), order.end(), [&](const std::size_t a, const std::size_t b) {
    return counts[a] != counts[b] ? counts[a] > counts[b] : words[a] < words[b];
  });
  if (most > 0 && order.size() > most) order.resize(most);
  std::vector<std::string> chosen;
  for (const std::size_t i : order) chosen.push_back(words[i]);
  return Vocabulary(std::move(chosen));
}

std::vector<std::int32_t> token_map(const Vocabulary& from, const Vocabulary& to) {
  std::unordered_map<std::string_view, std::int32_t> token_of;
  std::int32_t next = first_word;
  for (const std::string& word : to.words()) token_of.emplace(word, next++);
  std::vector<std::int32_t> map{unknown_word, padding};
  for (const std::string& word : from.words()) {
    const auto found = token_of.find(word);
    map.push_back(found == token_of.end() ? unknown_word : found->second);
  }
  return map;
}

}  // namespace bcr::io
