#include "io/commands/choice_option.hpp"
#include "io/commands/data_command.hpp"
#include "io/commands/progress_line.hpp"
#include "io/commands/skipped_files.hpp"
#include "io/datasets/registry.hpp"
#include "io/hdf5/image_file.hpp"
#include "io/hdf5/text_file.hpp"
#include "io/splits/hold_out.hpp"
#include "src/core/atomic_file.hpp"
#include "src/core/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <charconv>
#include <chrono>
#include <optional>

namespace bcr::io {

namespace {

/// The share of a folder's pictures that may be damaged before somebody should look.
constexpr double few = 0.05;

/// `--classes cat,dog` names them, `--classes 47` numbers them.
std::vector<std::string> parse_classes(const std::vector<std::string>& given) {
  if (given.size() != 1) return given;
  std::size_t count = 0;
  const std::string& text = given[0];
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (status != std::errc() || end != text.data() + text.size()) return given;
  if (count == 0 || count > largest_class_count) {
    throw ConfigError("--classes", fmt::format("1 to {} classes", largest_class_count), text);
  }
  return numbered_classes(count);
}

std::string formats_text() {
  std::string text = "Formats:\n";
  for (const ImportFormat& format : import_formats().entries()) {
    text += fmt::format("  {:<17} {:<24} {}\n", format.name, format.paths, format.summary);
  }
  return text;
}

class ImportVerb final : public DataVerb {
 public:
  CLI::App* declare(CLI::App& parser) override {
    request_.skip_at_most = few;
    CLI::App* verb = parser.add_subcommand("import", "Turn a data set in its published form into one HDF5 file");
    verb->add_option("FORMAT", format_, "One of the formats below")->required();
    verb->add_option("PATHS", request_.paths, "Files or directories, as the format wants them")->type_name("PATH");
    verb->add_option("-o,--out", out_, "The HDF5 file to write; it appears when it is complete")
        ->type_name("FILE")
        ->required();
    const Choices<Part> parts = {{"train", Part::train}, {"test", Part::test}, {"all", Part::all}};
    add_choice(*verb, "--part", request_.part, parts, "Which part of a published directory");
    const Choices<LabelKind> kinds = {{"fine", LabelKind::fine}, {"coarse", LabelKind::coarse}};
    add_choice(*verb, "--labels", request_.label_kind, kinds, "Which labels of CIFAR-100 (default fine)");
    verb->add_option("--size", request_.size, "Side of the images, for pictures, CIFAR and synthetic images");
    Choices<Fit> fits;
    for (const auto& [word, fit] : enum_names(Fit())) fits.emplace_back(word, fit);
    add_choice(*verb, "--fit", request_.fit, fits,
               "How pictures of other sizes become images (default area-crop: scaled, centre kept)");
    const Choices<std::size_t> colours = {{"rgb", 3}, {"grey", 1}};
    add_choice(*verb, "--colours", request_.channels, colours, "Of images made from pictures (default rgb)");
    verb->add_option("--hold-out", hold_out_,
                     "Images: keep this share of each class for tests; writes FILE-train and FILE-test")
        ->type_name("SHARE")
        ->check(CLI::Range(0.0, 1.0));
    verb->add_option(
            "--skip-at-most", request_.skip_at_most,
            "folder: leave out pictures that cannot be read, unless they are more than this share (default 0.05)")
        ->type_name("SHARE")
        ->check(CLI::Range(0.0, 1.0));
    verb->add_option("--skipped", skipped_, "folder: write what was left out and why to this CSV file")
        ->type_name("FILE");
    verb->add_option("--count", request_.count, "Number of synthetic images (default 50000)");
    verb->add_option("--seed", request_.seed, "Seed of synthetic images, and of --hold-out (default 0)");
    verb->add_option("--classes", classes_, "Class names (a,b,c) or their number, for formats without names")
        ->delimiter(',');
    const Choices<WordRule> rules = {{"spaces", WordRule::spaces}, {"letters", WordRule::letters}};
    add_choice(*verb, "--words", request_.words, rules, "Words of text-folder and text-csv (default spaces)");
    const Choices<EmptyDocuments> empties = {{"refuse", EmptyDocuments::refuse}, {"drop", EmptyDocuments::drop}};
    add_choice(*verb, "--empty", request_.empty, empties, "What to do with documents without words (default refuse)");
    verb->add_option("--text-column", request_.text_columns,
                     "text-csv: columns of the text, joined; names, or numbers from 1 for tables without header")
        ->delimiter(',');
    verb->add_option("--label-column", request_.label_column, "text-csv: column of the label; empty: no labels");
    verb->add_option("--name", name_, "Name of the set (default: the format and part)");
    verb->add_option("--licence", licence_, "Licence of the data, for the record");
    verb->add_option("--source", source_, "Where the data came from (default: format and file names)");
    verb->footer(formats_text());
    return verb;
  }

  void run(const Log& log) override {
    const auto begin = std::chrono::steady_clock::now();
    request_.class_names = parse_classes(classes_);
    if (format_ != "folder") request_.skip_at_most = 0;  // a published set is complete
    SkippedFiles skipped;
    request_.skipped = [&skipped](const std::string& file, const std::string& reason) { skipped.add(file, reason); };
    ImportedSet imported = read(log, skipped);
    skipped.tell(log);
    if (!skipped_.empty()) write_file(skipped_, skipped.csv());
    std::visit(
        [&](auto& set) {
          set.name = name_.empty() ? default_name() : name_;
          if (!licence_.empty()) set.licence = licence_;
          if (!source_.empty()) set.source = source_;
          const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
          log.info("data", "{}: {} in {} classes, {:.1f} s", set.name, size_text(set), set.class_names.size(),
                   seconds.count());
          if (set.licence.empty()) log.info("data", "no licence was stated (--licence)");
          write(set, log);
        },
        imported);
  }

 private:
  /// What was left out is told of also if the import fails.
  ImportedSet read(const Log& log, const SkippedFiles& skipped) {
    ProgressLine progress(log, "import " + format_);
    request_.progress = [&progress](const std::size_t done, const std::size_t total) { progress.show(done, total); };
    try {
      return import_set(format_, request_);
    } catch (const Error&) {
      skipped.tell(log);
      if (!skipped_.empty()) write_file(skipped_, skipped.csv());
      throw;
    }
  }

  void write(const ImageSet& set, const Log& log) const {
    if (!hold_out_) return print_written(write_image_file(out_, set), out_);
    const HeldOut held = hold_out(set, *hold_out_, request_.seed);
    log.info("data", "{} images to train on, {} held out", held.train.count, held.test.count);
    for (const auto& [part, suffix] : {std::pair(&held.train, "-train"), std::pair(&held.test, "-test")}) {
      std::filesystem::path path(out_);
      path.replace_filename(path.stem().string() + suffix + path.extension().string());
      print_written(write_image_file(path, *part), path.string());
    }
  }
  void write(const TextSet& set, const Log&) const {
    require<ConfigError>(!hold_out_, "--hold-out", "a format of images", format_);
    print_written(write_text_file(out_, set), out_);
  }
  static void print_written(const std::string& sha256, const std::string& path) {
    fmt::print("{}  {}\n", sha256, path);
  }

  static std::string size_text(const ImageSet& set) {
    return fmt::format("{} images of {} x {} x {}", set.count, set.height, set.width, set.channels);
  }
  static std::string size_text(const TextSet& set) {
    return fmt::format("{} documents of {} tokens, {} words", set.count(), set.tokens.size(),
                       set.vocabulary.words().size());
  }

  std::string default_name() const {
    const std::string_view part =
        request_.part == Part::train ? " train" : (request_.part == Part::test ? " test" : "");
    return fmt::format("{}{}", format_, part);
  }

  std::string format_;
  ImportRequest request_;
  std::vector<std::string> classes_;
  std::string out_;
  std::optional<double> hold_out_;
  std::string skipped_;
  std::string name_;
  std::string licence_;
  std::string source_;
};

}  // namespace

std::unique_ptr<DataVerb> make_import_verb() {
  return std::make_unique<ImportVerb>();
}

}  // namespace bcr::io
