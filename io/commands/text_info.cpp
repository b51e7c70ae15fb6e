#include "io/commands/text_info.hpp"

#include <algorithm>

namespace bcr::io {

namespace {

constexpr std::size_t most_samples = 20;
constexpr std::size_t sample_words = 16;
constexpr std::size_t documents_at_once = 4096;

/// The first words of a document, "..." behind them if there are more.
std::string first_words(const TextFile& file, const std::size_t document, const std::vector<std::int32_t>& map,
                        const Vocabulary& vocabulary) {
  std::vector<std::int32_t> tokens(file.offsets()[document + 1] - file.offsets()[document]);
  file.read_tokens(document, 1, tokens);
  std::string text;
  for (std::size_t i = 0; i < std::min(tokens.size(), sample_words); ++i) {
    if (i > 0) text += ' ';
    text += vocabulary.text(map[static_cast<std::size_t>(tokens[i])]);
  }
  return tokens.size() > sample_words ? text + " ..." : text;
}

}  // namespace

Vocabulary leading_words(const TextFile& file, const std::size_t most) {
  std::vector<std::string> words = file.vocabulary().words();
  if (most > 0 && words.size() > most) words.resize(most);
  return Vocabulary(std::move(words));
}

TextSummary summarise(const TextFile& file, const Vocabulary& vocabulary) {
  TextSummary summary;
  const std::vector<std::uint64_t>& offsets = file.offsets();
  const std::size_t count = file.info().count;
  std::vector<std::uint64_t> lengths(count);
  for (std::size_t i = 0; i < count; ++i) lengths[i] = offsets[i + 1] - offsets[i];
  std::sort(lengths.begin(), lengths.end());
  summary.shortest = lengths.front();
  summary.median = lengths[count / 2];
  summary.longest = lengths.back();
  summary.mean = static_cast<double>(offsets.back()) / static_cast<double>(count);
  summary.vocabulary = vocabulary.words().size();

  const std::vector<std::int32_t> map = token_map(file.vocabulary(), vocabulary);
  std::uint64_t unknown = 0;
  std::vector<std::int32_t> tokens;
  for (std::size_t first = 0; first < count; first += documents_at_once) {
    const std::size_t some = std::min(documents_at_once, count - first);
    tokens.resize(offsets[first + some] - offsets[first]);
    file.read_tokens(first, some, tokens);
    for (const std::int32_t token : tokens) unknown += map[static_cast<std::size_t>(token)] == unknown_word;
  }
  summary.unknown_share = static_cast<double>(unknown) / static_cast<double>(offsets.back());

  const std::vector<std::int32_t>& labels = file.labels();
  for (std::size_t c = 0; c < std::min(file.info().class_names.size(), most_samples); ++c) {
    const auto found = std::find(labels.begin(), labels.end(), static_cast<std::int32_t>(c));
    if (found == labels.end()) continue;
    const auto document = static_cast<std::size_t>(found - labels.begin());
    summary.samples.push_back({document, first_words(file, document, map, vocabulary)});
  }
  return summary;
}

}  // namespace bcr::io
