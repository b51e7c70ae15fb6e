#include "io/commands/checkpoint_info.hpp"
#include "io/commands/data_command.hpp"
#include "io/commands/text_info.hpp"
#include "io/hdf5/image_file.hpp"
#include "io/images/picture_file.hpp"
#include "src/core/atomic_file.hpp"
#include "src/core/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

namespace bcr::io {

namespace {

constexpr std::size_t sheet_columns = 16;
constexpr std::size_t sheet_rows = 40;

/// What every data file has, between what its kind of samples adds.
nlohmann::ordered_json common_json(const DataFile& file, const char* const samples) {
  const DataFileInfo& info = file.info();
  const auto counts = class_counts(file.labels(), info.class_names.size());
  nlohmann::ordered_json json;
  json["path"] = file.path();
  json["name"] = info.name;
  json["source"] = info.source;
  json["licence"] = info.licence;
  json["sha256"] = info.sha256;
  json["classes"] = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < counts.size(); ++i) {
    json["classes"].push_back({{"label", i}, {"name", info.class_names[i]}, {samples, counts[i]}});
  }
  return json;
}

void print_common(const DataFile& file) {
  const DataFileInfo& info = file.info();
  fmt::print("file     {}\nname     {}\nsource   {}\nlicence  {}\nsha256   {}\n", file.path(), info.name, info.source,
             info.licence.empty() ? "not stated" : info.licence, info.sha256);
}

void print_classes(const DataFile& file) {
  const auto counts = class_counts(file.labels(), file.info().class_names.size());
  fmt::print("classes  {}\n", counts.size());
  for (std::size_t i = 0; i < counts.size(); ++i) {
    fmt::print("{:7d}  {:8d}  {}\n", i, counts[i], file.info().class_names[i]);
  }
}

void print_images(const ImageFile& file) {
  const ImageFileInfo& info = file.info();
  print_common(file);
  fmt::print("images   {} of {} x {} x {}\n", info.count, info.height, info.width, info.channels);
  fmt::print("mean     {:.6f}\nstd      {:.6f}\n", fmt::join(info.statistics.mean, " "),
             fmt::join(info.statistics.std, " "));
  if (!info.fit.empty()) fmt::print("fit      {}\n", info.fit);
  print_classes(file);
}

nlohmann::ordered_json images_json(const ImageFile& file) {
  const ImageFileInfo& info = file.info();
  nlohmann::ordered_json json = common_json(file, "images");
  json["format_version"] = file.info().version;
  json["shape"] = {info.count, info.height, info.width, info.channels};
  json["mean"] = info.statistics.mean;
  json["std"] = info.statistics.std;
  if (!info.fit.empty()) json["fit"] = info.fit;
  return json;
}

nlohmann::ordered_json texts_json(const TextFile& file, const TextSummary& summary) {
  nlohmann::ordered_json json = common_json(file, "documents");
  json["format_version"] = file.info().version;
  json["documents"] = file.info().count;
  json["tokens"] = file.info().tokens;
  json["words"] = file.vocabulary().words().size();
  json["vocabulary_sha256"] = file.info().vocabulary_sha256;
  json["lengths"] = {
      {"shortest", summary.shortest}, {"median", summary.median}, {"mean", summary.mean}, {"longest", summary.longest}};
  json["unknown"] = {{"vocabulary", summary.vocabulary}, {"share", summary.unknown_share}};
  json["samples"] = nlohmann::ordered_json::array();
  for (const auto& [document, text] : summary.samples) {
    json["samples"].push_back({{"document", document}, {"label", file.labels()[document]}, {"text", text}});
  }
  return json;
}

void print_texts(const TextFile& file, const TextSummary& summary) {
  print_common(file);
  fmt::print("texts    {} of {} tokens\n", file.info().count, file.info().tokens);
  fmt::print("lengths  {} to {}, median {}, mean {:.1f}\n", summary.shortest, summary.longest, summary.median,
             summary.mean);
  fmt::print("words    {} (sha256 {})\n", file.vocabulary().words().size(), file.info().vocabulary_sha256);
  fmt::print("unknown  {:.2f} % of the tokens with a vocabulary of {} words\n", 100 * summary.unknown_share,
             summary.vocabulary);
  print_classes(file);
  for (const auto& [document, text] : summary.samples) fmt::print("sample   {}: {}\n", document, text);
}

class InfoVerb final : public DataVerb {
 public:
  CLI::App* declare(CLI::App& parser) override {
    CLI::App* verb = parser.add_subcommand("info", "Print what a data file or a checkpoint holds");
    verb->add_option("FILE", path_, "A file that bcr-data or bcr-train made")->required();
    verb->add_flag("--json", json_, "Print JSON");
    verb->add_option("--preview", preview_, "Images: write a contact sheet, a row for each class, to this PNG file")
        ->type_name("FILE");
    verb->add_option("--vocabulary", vocabulary_, "Texts: the training file whose words are known (default: FILE)")
        ->type_name("FILE");
    verb->add_option("--vocabulary-size", vocabulary_size_, "Texts: how many of its words (default 10000; 0: all)");
    return verb;
  }

  void run(const Log& log) override {
    if (is_checkpoint(path_)) {
      require<ConfigError>(preview_.empty() && vocabulary_.empty(), "info --preview or --vocabulary", "a data file",
                           "the checkpoint " + path_);
      return show_checkpoint(path_, json_);
    }
    const auto file = open_data_file(path_);
    if (const auto* texts = dynamic_cast<const TextFile*>(file.get())) return show(*texts);
    const auto& images = dynamic_cast<const ImageFile&>(*file);
    require<ConfigError>(vocabulary_.empty(), "info --vocabulary", "a file of texts", "images in " + path_);
    if (json_) {
      print(images_json(images));
    } else {
      print_images(images);
    }
    if (preview_.empty()) return;
    const auto png = encode_png(contact_sheet(images, sheet_columns, sheet_rows));
    write_file(preview_, std::as_bytes(std::span(png)));
    log.info("data", "contact sheet in {}", preview_);
  }

 private:
  static void print(const nlohmann::ordered_json& json) {
    fmt::print("{}\n", json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  }

  void show(const TextFile& file) const {
    require<ConfigError>(preview_.empty(), "info --preview", "a file of images", "texts in " + path_);
    const Vocabulary words = vocabulary_.empty() ? leading_words(file, vocabulary_size_)
                                                 : leading_words(TextFile(vocabulary_), vocabulary_size_);
    const TextSummary summary = summarise(file, words);
    if (json_) {
      print(texts_json(file, summary));
    } else {
      print_texts(file, summary);
    }
  }

  std::string path_;
  bool json_ = false;
  std::string preview_;
  std::string vocabulary_;
  std::size_t vocabulary_size_ = 10000;
};

}  // namespace

std::unique_ptr<DataVerb> make_info_verb() {
  return std::make_unique<InfoVerb>();
}

}  // namespace bcr::io
