#ifndef BCR_IO_TEXT_TEXT_SET_HPP
#define BCR_IO_TEXT_TEXT_SET_HPP

#include "io/text/vocabulary.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace bcr::io {

/// Labelled documents as words in memory: what every text reader delivers and every text file stores. Document i is
/// tokens[offsets[i]] ... tokens[offsets[i + 1] - 1], each a word of this set's own vocabulary, which holds every word:
/// nothing is lost, and a run maps them to the words of its training documents. A set without labels has the single
/// class "unlabelled".
struct TextSet {
  std::vector<std::int32_t> tokens;
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::int32_t> labels;
  std::vector<std::string> class_names;
  std::vector<std::string> ids;  ///< of the documents (file names); empty if they have none
  Vocabulary vocabulary;
  std::string name;     ///< short, for tables and reports
  std::string source;   ///< where the texts came from: format and files
  std::string licence;  ///< as the user stated it

  std::size_t count() const noexcept { return offsets.size() - 1; }
};

/// Throws an IoError that names `origin` unless there is a document, none is empty, and tokens, offsets, labels and ids
/// fit each other.
void require_consistent(const TextSet& set, const std::string& origin);

/// Throws an IoError that names `origin` and the first class without a document.
void require_every_class(const TextSet& set, const std::string& origin);

/// SHA-256 in hexadecimal of tokens, offsets and labels as little-endian integers and of the joined words:
/// hashlib.sha256(b"".join(f[k][...].tobytes() for k in ("tokens", "offsets", "labels", "vocabulary"))).hexdigest()
std::string content_sha256(const TextSet& set);

/// What becomes of a document without a word.
enum class EmptyDocuments { refuse, drop };

/// Where a document came from. `line` 0: a file of its own; `id` empty: it has none.
struct DocumentOrigin {
  std::string_view file;
  std::uint64_t line = 0;
  std::string_view id{};
};

/// Makes a set document by document. Words get numbers as they come; take() orders them by frequency.
class TextSetBuilder {
 public:
  explicit TextSetBuilder(const EmptyDocuments empty = EmptyDocuments::refuse) : empty_(empty) {}

  /// Throws an IoError that names the origin of an empty document, unless these are dropped.
  void add(const std::vector<std::string>& words, std::int32_t label, const DocumentOrigin& origin);

  std::size_t count() const noexcept { return set_.count(); }

  /// The set, without class names, name and source.
  TextSet take();

 private:
  EmptyDocuments empty_;
  TextSet set_;
  std::vector<std::string> words_;
  std::unordered_map<std::string, std::int32_t> number_;
};

}  // namespace bcr::io

#endif
