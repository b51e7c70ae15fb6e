#ifndef BCR_SRC_PREDICT_TEXT_SOURCE_HPP
#define BCR_SRC_PREDICT_TEXT_SOURCE_HPP

#include "io/hdf5/text_file.hpp"
#include "io/text/line_reader.hpp"
#include "io/text/tokenizer.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <istream>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace bcr::predict {

/// How texts are read: by which rule they become words, and whether a file is one text or each of its lines is.
struct TextReading {
  io::WordRule rule = io::WordRule::spaces;
  bool lines = false;
};

/// A text that was asked for, in tokens of the model, or what keeps it from being one.
struct TextRef {
  std::string name;                    ///< for people: the path, "notes.txt#3", or "-#3", from 1; "test.h5#12", from 0
  std::vector<std::int32_t> tokens{};  ///< at least one unless there is an error
  std::string error{};
};

/// The texts behind a list of paths, in order, one at a time: files; folders, all .txt files below them sorted by path;
/// data files of bcr-data, document by document; "-", the lines of `input`, a text each. What cannot be read, and a
/// text without a word, has an error.
class TextSource {
 public:
  /// Words of `vocabulary` have its tokens, all others are unknown_word; `input` must outlive this.
  TextSource(std::vector<std::string> paths, std::istream& input, const TextReading& reading,
             const io::Vocabulary& vocabulary);
  TextSource(const TextSource&) = delete;
  TextSource& operator=(const TextSource&) = delete;

  std::optional<TextRef> next();

 private:
  void open(const std::string& path);
  void open_folder(const std::string& path);
  void open_file(const std::string& path);
  std::optional<TextRef> next_line();
  std::optional<TextRef> next_input_line();
  std::optional<TextRef> next_document();
  TextRef encoded(std::string name, const std::string& text) const;

  std::deque<std::string> paths_;
  std::istream& input_;
  TextReading reading_;
  io::Vocabulary vocabulary_;
  std::unordered_map<std::string_view, std::int32_t> token_of_;  ///< views of vocabulary_
  std::optional<TextRef> ready_;
  std::optional<io::LineReader> reader_;
  bool reads_input_ = false;
  std::size_t input_line_ = 0;
  std::unique_ptr<io::TextFile> file_;
  std::vector<std::int32_t> token_map_;  ///< of the words of file_
  std::size_t document_ = 0;
};

/// As training pads known documents: the first row.size() tokens, at the end of the row.
void pad_in_front(std::span<const std::int32_t> tokens, std::span<std::int32_t> row);

}  // namespace bcr::predict

#endif
