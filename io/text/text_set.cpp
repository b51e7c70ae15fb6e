#include "io/text/text_set.hpp"

#include "io/image_set.hpp"
#include "src/core/error.hpp"
#include "src/core/sha256.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace bcr::io {

void require_consistent(const TextSet& set, const std::string& origin) {
  const auto check = [&origin](const bool ok, const std::string_view expected, const std::string& received) {
    if (!ok) throw IoError("texts of " + origin, expected, received);
  };
  check(!set.offsets.empty() && set.offsets.front() == 0 && set.offsets.back() == set.tokens.size(),
        "offsets from 0 to the number of tokens", set.offsets.empty() ? "none" : fmt::format("{}", set.offsets.back()));
  const std::size_t count = set.count();
  check(count > 0 && count <= largest_count, "at least one document", fmt::format("{}", count));
  check(set.labels.size() == count, fmt::format("{} labels", count), fmt::format("{}", set.labels.size()));
  check(set.ids.empty() || set.ids.size() == count, fmt::format("{} ids or none", count),
        fmt::format("{}", set.ids.size()));
  const std::size_t classes = set.class_names.size();
  check(classes > 0 && classes <= largest_class_count, "at least one class", fmt::format("{}", classes));
  for (std::size_t i = 0; i < count; ++i) {
    if (set.offsets[i] >= set.offsets[i + 1]) check(false, "no empty document", fmt::format("document {} empty", i));
    const bool ok = set.labels[i] >= 0 && static_cast<std::size_t>(set.labels[i]) < classes;
    if (!ok) {
      check(false, fmt::format("labels of 0 to {}", classes - 1),
            fmt::format("label {} of document {}", set.labels[i], i));
    }
  }
  const auto end = static_cast<std::int64_t>(set.vocabulary.size());
  const auto bad = std::find_if(set.tokens.begin(), set.tokens.end(),
                                [end](const std::int32_t token) { return token < first_word || token >= end; });
  if (bad != set.tokens.end())
    check(false, fmt::format("tokens of {} to {}", first_word, end - 1), std::to_string(*bad));
}

void require_every_class(const TextSet& set, const std::string& origin) {
  const auto counts = class_counts(set.labels, set.class_names.size());
  const auto missing = std::find(counts.begin(), counts.end(), std::size_t{0});
  if (missing == counts.end()) return;
  const std::string& name = set.class_names[static_cast<std::size_t>(missing - counts.begin())];
  throw IoError("texts of " + origin, "documents of class " + name, "none");
}

std::string content_sha256(const TextSet& set) {
  static_assert(std::endian::native == std::endian::little, "numbers are hashed as little-endian integers");
  Sha256 hash;
  hash.update(std::as_bytes(std::span(set.tokens)));
  hash.update(std::as_bytes(std::span(set.offsets)));
  hash.update(std::as_bytes(std::span(set.labels)));
  hash.update(set.vocabulary.joined());
  return to_hex(hash.digest());
}

void TextSetBuilder::add(const std::vector<std::string>& words, const std::int32_t label,
                         const DocumentOrigin& origin) {
  if (words.empty()) {
    if (empty_ == EmptyDocuments::drop) return;
    const std::string line = origin.line > 0 ? fmt::format(", line {}", origin.line) : "";
    throw IoError(fmt::format("{}{}", origin.file, line), "a document with words (--empty drop passes over others)",
                  "none");
  }
  for (const std::string& word : words) {
    const auto [entry, is_new] = number_.try_emplace(word, static_cast<std::int32_t>(words_.size()));
    if (is_new) words_.push_back(word);
    set_.tokens.push_back(entry->second);
  }
  set_.offsets.push_back(set_.tokens.size());
  set_.labels.push_back(label);
  if (!origin.id.empty()) set_.ids.emplace_back(origin.id);
}

TextSet TextSetBuilder::take() {
  std::vector<std::uint64_t> counts(words_.size(), 0);
  for (const std::int32_t number : set_.tokens) ++counts[static_cast<std::size_t>(number)];
  set_.vocabulary = most_frequent(words_, counts, 0);
  std::vector<std::int32_t> token(words_.size());
  std::int32_t next = first_word;
  for (const std::string& word : set_.vocabulary.words()) token[static_cast<std::size_t>(number_.at(word))] = next++;
  for (std::int32_t& number : set_.tokens) number = token[static_cast<std::size_t>(number)];
  return std::move(set_);
}

}  // namespace bcr::io
