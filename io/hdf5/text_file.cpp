#include "io/hdf5/text_file.hpp"

#include "io/image_set.hpp"
#include "src/core/sha256.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace bcr::io {

namespace {

std::span<const std::uint8_t> bytes_of(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

/// Texts that hold no line feed, joined by them.
std::string join_lines(const std::vector<std::string>& lines) {
  return fmt::format("{}", fmt::join(lines, "\n"));
}

std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> lines(1);
  for (const char c : text) {
    if (c == '\n') {
      lines.emplace_back();
    } else {
      lines.back().push_back(c);
    }
  }
  return lines;
}

std::string read_string(const Hdf5Reader& reader, const std::string& dataset) {
  const auto bytes = reader.read<std::uint8_t>(dataset);
  return {bytes.begin(), bytes.end()};
}

std::string sizes_text(const std::size_t tokens, const std::size_t documents) {
  return fmt::format("int32[{}] in {}", tokens, documents);
}

}  // namespace

std::string write_text_file(const std::filesystem::path& path, const TextSet& set) {
  require_consistent(set, path.string());
  const std::string words = set.vocabulary.joined();
  Hdf5Writer writer(path);
  writer.create<std::int32_t>("/tokens", {set.tokens.size()}, tokens_per_chunk);
  for (std::size_t first = 0; first < set.tokens.size(); first += tokens_per_chunk) {
    const auto rest = std::span(set.tokens).subspan(first);
    writer.write_rows("/tokens", first, rest.first(std::min(tokens_per_chunk, rest.size())));
  }
  writer.create<std::uint64_t>("/offsets", {set.offsets.size()}, tokens_per_chunk);
  writer.write_rows("/offsets", 0, std::span(set.offsets));
  const auto write_string = [&writer](const std::string& dataset, const std::string& text) {
    writer.create<std::uint8_t>(dataset, {text.size()}, tokens_per_chunk);
    writer.write_rows(dataset, 0, bytes_of(text));
  };
  write_string("/vocabulary", words);
  if (!set.ids.empty()) write_string("/ids", join_lines(set.ids));
  const std::string sha256 =
      data_sha256(text_format, sizes_text(set.tokens.size(), set.count()), set.class_names, set.labels,
                  {writer.leaves("/tokens"), writer.leaves("/offsets"), writer.leaves("/vocabulary")});
  write_common(writer, text_format, {set.count(), set.class_names, set.name, set.source, set.licence, sha256},
               set.labels);
  writer.set_attribute("/", "vocabulary_sha256", sha256_hex(words));
  writer.commit();
  return sha256;
}

TextFile::TextFile(const std::filesystem::path& path) : DataFile(path, text_format) {
  const Hdf5Shape tokens = reader_.shape("/tokens");
  check(tokens.element == Element::i32 && tokens.extents.size() == 1, "/tokens", "i32 [T]",
        fmt::format("{} [{}]", element_name(tokens.element), fmt::join(tokens.extents, ", ")));
  info_.tokens = tokens.extents[0];
  offsets_ = reader_.read<std::uint64_t>("/offsets");
  const bool ascending = std::adjacent_find(offsets_.begin(), offsets_.end(), std::greater_equal<>()) == offsets_.end();
  check(offsets_.size() >= 2 && offsets_.size() <= largest_count && offsets_.front() == 0 && ascending &&
            offsets_.back() == info_.tokens,
        "/offsets", fmt::format("rising numbers from 0 to the {} tokens", info_.tokens), "others");
  info_.count = offsets_.size() - 1;
  read_common(info_);
  const std::string words = read_string(reader_, "/vocabulary");
  info_.vocabulary_sha256 = reader_.text_attribute("/", "vocabulary_sha256");
  check(sha256_hex(words) == info_.vocabulary_sha256, "/vocabulary", info_.vocabulary_sha256, sha256_hex(words));
  vocabulary_ = Vocabulary::parse(words, this->path());
  if (is_checked())
    check_sha256(info_, data_sha256(text_format, sizes_text(info_.tokens, info_.count), info_.class_names, labels_,
                                    {reader_.leaves("/tokens"), reader_.leaves("/offsets"),
                                     reader_.leaves("/vocabulary")}));
}

std::vector<std::string> TextFile::ids() const {
  if (!reader_.has("/ids")) return {};
  std::vector<std::string> ids = split_lines(read_string(reader_, "/ids"));
  check(ids.size() == info_.count, "/ids", fmt::format("{} ids", info_.count), std::to_string(ids.size()));
  return ids;
}

void TextFile::read_tokens(const std::size_t first, const std::size_t count, const std::span<std::int32_t> dst) const {
  const std::uint64_t begin = offsets_.at(first);
  const std::uint64_t length = offsets_.at(first + count) - begin;
  reader_.read_rows("/tokens", begin, length, dst.first(length));
  const auto end = static_cast<std::int64_t>(vocabulary_.size());
  for (const std::int32_t token : dst.first(length)) {
    if (token < first_word || token >= end) {
      check(false, "/tokens", fmt::format("tokens of {} to {}", first_word, end - 1), std::to_string(token));
    }
  }
}

TextSet TextFile::read_all() const {
  TextSet set;
  set.tokens.resize(info_.tokens);
  read_tokens(0, info_.count, set.tokens);
  set.offsets = offsets_;
  set.labels = labels_;
  set.class_names = info_.class_names;
  set.ids = ids();
  set.vocabulary = vocabulary_;
  set.name = info_.name;
  set.source = info_.source;
  set.licence = info_.licence;
  return set;
}

void TextFile::verify() const {
  Sha256 hash;
  std::vector<std::int32_t> piece;
  constexpr std::size_t at_once = 4096;  // documents
  for (std::size_t first = 0; first < info_.count; first += at_once) {
    const std::size_t count = std::min(at_once, info_.count - first);
    piece.resize(offsets_[first + count] - offsets_[first]);
    read_tokens(first, count, piece);
    hash.update(std::as_bytes(std::span(piece)));
  }
  hash.update(std::as_bytes(std::span(offsets_)));
  hash.update(std::as_bytes(std::span(labels_)));
  hash.update(vocabulary_.joined());
  if (!is_checked()) check_sha256(info_, to_hex(hash.digest()));
  ids();
}

}  // namespace bcr::io
