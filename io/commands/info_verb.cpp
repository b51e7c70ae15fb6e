#include "io/commands/data_command.hpp"
#include "io/hdf5/image_file.hpp"
#include "io/images/contact_sheet.hpp"
#include "io/images/png.hpp"
#include "src/core/atomic_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

namespace bcr::io {

namespace {

constexpr std::size_t sheet_columns = 16;
constexpr std::size_t sheet_rows = 40;

nlohmann::ordered_json to_json(const ImageFile& file) {
  const ImageFileInfo& info = file.info();
  const auto counts = class_counts(file.labels(), info.class_names.size());
  nlohmann::ordered_json json;
  json["path"] = file.path();
  json["name"] = info.name;
  json["source"] = info.source;
  json["licence"] = info.licence;
  json["format_version"] = image_format_version;
  json["sha256"] = info.sha256;
  json["shape"] = {info.count, info.height, info.width, info.channels};
  json["mean"] = info.statistics.mean;
  json["std"] = info.statistics.std;
  json["classes"] = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < counts.size(); ++i) {
    json["classes"].push_back({{"label", i}, {"name", info.class_names[i]}, {"images", counts[i]}});
  }
  return json;
}

void print_text(const ImageFile& file) {
  const ImageFileInfo& info = file.info();
  const auto counts = class_counts(file.labels(), info.class_names.size());
  fmt::print("file     {}\nname     {}\nsource   {}\nlicence  {}\nsha256   {}\n", file.path(), info.name, info.source,
             info.licence.empty() ? "not stated" : info.licence, info.sha256);
  fmt::print("images   {} of {} x {} x {}\n", info.count, info.height, info.width, info.channels);
  fmt::print("mean     {:.6f}\nstd      {:.6f}\n", fmt::join(info.statistics.mean, " "),
             fmt::join(info.statistics.std, " "));
  fmt::print("classes  {}\n", counts.size());
  for (std::size_t i = 0; i < counts.size(); ++i) fmt::print("{:7d}  {:8d}  {}\n", i, counts[i], info.class_names[i]);
}

class InfoVerb final : public DataVerb {
 public:
  CLI::App* declare(CLI::App& parser) override {
    CLI::App* verb = parser.add_subcommand("info", "Print what a data file holds");
    verb->add_option("FILE", path_, "A file that bcr-data made")->required();
    verb->add_flag("--json", json_, "Print JSON");
    verb->add_option("--preview", preview_, "Write a contact sheet, a row for each class, to this PNG file")
        ->type_name("FILE");
    return verb;
  }

  void run(const Log& log) override {
    const ImageFile file(path_);
    if (json_) {
      fmt::print("{}\n", to_json(file).dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
    } else {
      print_text(file);
    }
    if (preview_.empty()) return;
    const auto png = encode_png(contact_sheet(file, sheet_columns, sheet_rows));
    write_file(preview_, std::as_bytes(std::span(png)));
    log.info("data", "contact sheet in {}", preview_);
  }

 private:
  std::string path_;
  bool json_ = false;
  std::string preview_;
};

}  // namespace

std::unique_ptr<DataVerb> make_info_verb() {
  return std::make_unique<InfoVerb>();
}

}  // namespace bcr::io
