#include "src/predict/text_source.hpp"

#include "src/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace bcr::predict {

namespace fs = std::filesystem;

TextSource::TextSource(std::vector<std::string> paths, std::istream& input, const TextReading& reading,
                       const io::Vocabulary& vocabulary)
    : paths_(paths.begin(), paths.end()), input_(input), reading_(reading), vocabulary_(vocabulary) {
  for (std::size_t i = 0; i < vocabulary_.words().size(); ++i)
    token_of_.emplace(vocabulary_.words()[i], io::first_word + static_cast<std::int32_t>(i));
}

TextRef TextSource::encoded(std::string name, const std::string& text) const {
  TextRef ref{.name = std::move(name)};
  const std::size_t bad = reading_.rule == io::WordRule::spaces ? io::first_bad_utf8(text) : std::string::npos;
  if (bad != std::string::npos) {
    ref.error = fmt::format("expected UTF-8 without zeros, received another byte at {}", bad);
    return ref;
  }
  for (const std::string& word : io::split_words(text, reading_.rule)) {
    const auto found = token_of_.find(word);
    ref.tokens.push_back(found == token_of_.end() ? io::unknown_word : found->second);
  }
  if (ref.tokens.empty()) ref.error = "expected a text with a word, received none";
  return ref;
}

void TextSource::open_folder(const std::string& path) {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path))
    if (!entry.is_directory() && entry.path().extension() == ".txt") names.push_back(entry.path().string());
  std::sort(names.begin(), names.end());
  paths_.insert(paths_.begin(), names.begin(), names.end());
  if (names.empty()) ready_ = TextRef{.name = path, .error = "expected .txt files in the folder, received none"};
}

void TextSource::open_file(const std::string& path) {
  const std::string ending = fs::path(path).extension().string();
  if (ending == ".h5" || ending == ".hdf5") {
    file_ = std::make_unique<io::TextFile>(path);
    token_map_ = io::token_map(file_->vocabulary(), vocabulary_);
    document_ = 0;
  } else if (reading_.lines) {
    reader_.emplace(path);
  } else {
    ready_ = encoded(path, io::read_document(path));
  }
}

void TextSource::open(const std::string& path) {
  try {
    if (path == "-") {
      reads_input_ = true;
    } else if (fs::is_directory(path)) {
      open_folder(path);
    } else {
      open_file(path);
    }
  } catch (const std::exception& error) {
    ready_ = TextRef{.name = path, .error = error.what()};
  }
}

std::optional<TextRef> TextSource::next_line() {
  std::string line;
  try {
    if (!reader_->next(line)) {
      reader_.reset();
      return std::nullopt;
    }
  } catch (const std::exception& error) {  // the rest of the file cannot be trusted
    TextRef ref{.name = reader_->name(), .error = error.what()};
    reader_.reset();
    return ref;
  }
  return encoded(fmt::format("{}#{}", reader_->name(), reader_->number()), line);
}

std::optional<TextRef> TextSource::next_input_line() {
  std::string line;
  if (!std::getline(input_, line)) {
    reads_input_ = false;
    return std::nullopt;
  }
  return encoded(fmt::format("-#{}", ++input_line_), line);
}

std::optional<TextRef> TextSource::next_document() {
  if (document_ == file_->info().count) {
    file_.reset();
    return std::nullopt;
  }
  const std::size_t index = document_++;
  TextRef ref{.name = fmt::format("{}#{}", file_->path(), index)};
  try {
    ref.tokens.resize(file_->offsets()[index + 1] - file_->offsets()[index]);
    file_->read_tokens(index, 1, ref.tokens);
    for (std::int32_t& token : ref.tokens) token = token_map_.at(static_cast<std::size_t>(token));
  } catch (const std::exception& error) {
    ref.error = error.what();
  }
  return ref;
}

std::optional<TextRef> TextSource::next() {
  for (;;) {
    if (ready_) return std::exchange(ready_, std::nullopt);
    std::optional<TextRef> ref;
    if (file_) {
      ref = next_document();
    } else if (reader_) {
      ref = next_line();
    } else if (reads_input_) {
      ref = next_input_line();
    } else if (paths_.empty()) {
      return std::nullopt;
    } else {
      const std::string path = std::move(paths_.front());
      paths_.pop_front();
      open(path);
    }
    if (ref) return ref;
  }
}

void pad_in_front(const std::span<const std::int32_t> tokens, const std::span<std::int32_t> row) {
  const std::size_t used = std::min(tokens.size(), row.size());
  std::fill(row.begin(), row.end(), io::padding);
  std::copy_n(tokens.begin(), used, row.end() - static_cast<std::ptrdiff_t>(used));
}

}  // namespace bcr::predict
