#include "io/datasets/text_readers.hpp"
#include "io/text/line_reader.hpp"
#include "src/core/error.hpp"

namespace bcr::io {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t fewest_words = 3;
constexpr std::size_t most_words = 60;

/// Calls take(reader, line) for every line of the files.
template <class Take>
void for_each_line(const std::vector<fs::path>& paths, const Take& take) {
  std::string line;
  for (const fs::path& path : paths) {
    LineReader reader(path);
    while (reader.next(line)) take(reader, line);
  }
}

TextSet finish_unlabelled(TextSetBuilder& documents, const std::string_view format,
                          const std::vector<fs::path>& paths) {
  TextSet set = documents.take();
  set.class_names = {"unlabelled"};
  set.source = source_text(format, paths);
  return set;
}

TextSet read_lines(const ImportRequest& request, const std::string_view format) {
  require_paths(request, format, "files with one document a line");
  TextSetBuilder documents(request.empty);
  for_each_line(request.paths, [&](const LineReader& reader, const std::string& line) {
    documents.add(split_words(line, WordRule::spaces), 0, {.file = reader.name(), .line = reader.number()});
    request.progress(documents.count(), 0);
  });
  return finish_unlabelled(documents, format, request.paths);
}

}  // namespace

TextSet read_text_lines(const ImportRequest& request) {
  return read_lines(request, "text-lines");
}

TextSet read_wikitext(const ImportRequest& request) {
  require_paths(request, "wikitext", "files, or a directory with wiki.train.tokens");
  std::vector<fs::path> files = request.paths;
  if (is_published_layout(request)) {
    files =
        published_files(request.paths[0], request.part, {"wiki.train.tokens"},
                        request.part == Part::all ? std::vector<std::string>{"wiki.valid.tokens", "wiki.test.tokens"}
                                                  : std::vector<std::string>{"wiki.test.tokens"});
  }
  TextSetBuilder documents;
  for_each_line(files, [&](const LineReader& reader, const std::string& line) {
    if (line.starts_with(" =")) return;
    for (const auto& sentence : split_sentences(split_words(line, WordRule::spaces))) {
      if (sentence.size() < fewest_words || sentence.size() > most_words) continue;
      // Others begin with "@-@" and such leftovers of the corpus' own tokeniser, with a digit, or in a list.
      if (!begins_with_letter(sentence[0]) && sentence[0] != "<unk>") continue;
      documents.add(sentence, 0, {.file = reader.name(), .line = reader.number()});
    }
    request.progress(documents.count(), 0);
  });
  return finish_unlabelled(documents, "wikitext", files);
}

TextSet read_imdb(const ImportRequest& request) {
  if (!is_published_layout(request)) return read_lines(request, "imdb");
  const fs::path& root = request.paths[0];
  if (request.part == Part::unstated) {
    throw ConfigError("import of directory " + root.string(), "--part train, test or all", "none");
  }
  const std::vector<std::string> classes = {"neg", "pos"};
  TextSetBuilder documents(request.empty);
  for (const std::string part : {"train", "test"}) {
    if (request.part == (part == "train" ? Part::test : Part::train)) continue;
    add_class_folders(
        documents, root / part, classes,
        [](const fs::path& file) { return split_words(read_utf8_document(file), WordRule::spaces); }, request.progress);
  }
  TextSet set = documents.take();
  set.class_names = classes;
  set.source = source_text("imdb", request.paths);
  return set;
}

}  // namespace bcr::io
