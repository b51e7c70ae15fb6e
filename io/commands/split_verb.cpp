#include "io/commands/data_command.hpp"
#include "io/hdf5/data_file.hpp"
#include "io/splits/class_list.hpp"
#include "io/splits/published.hpp"
#include "src/core/error.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>

namespace bcr::io {

namespace {

NamedClasses read_classes(const std::string& path) {
  const auto file = open_data_file(path);
  return {file->path(), set_name(file->info().name), file->info().class_names};
}

void print_list() {
  for (const PublishedSplit& split : published_splits()) {
    fmt::print("{:<15} {} ({} {})\n{:<15} {}\n", split.name, split.summary, split.trials(),
               split.trials() == 1 ? "trial" : "trials", "", split.source);
    if (!split.note.empty()) fmt::print("{:<15} note: {}\n", "", split.note);
  }
  fmt::print("{:<15} classes of one set drawn by --seed and --trial (--known, --background-classes)\n", "random");
  fmt::print("{:<15} all classes of one set against all of others (--unknown)\n", "whole");
}

class SplitVerb final : public DataVerb {
 public:
  CLI::App* declare(CLI::App& parser) override {
    CLI::App* verb = parser.add_subcommand("split", "Make an open-set split: known, background and unknown classes");
    verb->add_option("NAME", name_, "A published split (--list), random, or whole");
    verb->add_flag("--list", list_, "List the published splits");
    verb->add_option("--data", data_, "Data file with the known classes")->type_name("FILE");
    verb->add_option("--unknown", unknown_, "Data files with the unknown classes (default: that of --data)")
        ->type_name("FILE");
    verb->add_option("--background", background_, "Data file of the background: all its classes but --without")
        ->type_name("FILE");
    verb->add_option("--without", without_, "Classes that are taken out of --background; @FILE: those of a list, as far as "
                     "the background has them")
        ->delimiter(',');
    verb->add_option("--trial", trial_, "Number of the trial (default 0)");
    verb->add_option("--known", random_.known, "random: number of known classes");
    verb->add_option("--background-classes", random_.background, "random: number of background classes");
    verb->add_option("--unknown-classes", random_.unknown, "random: number of unknown classes (default: the others)");
    verb->add_option("--seed", random_.seed, "random: seed (default 0)");
    verb->add_option("-o,--out", out_, "The TOML file to write")->type_name("FILE");
    return verb;
  }

  void run(const Log& log) override {
    if (list_) return print_list();
    require<ConfigError>(!name_.empty() && !data_.empty() && !out_.empty(), "split",
                         "NAME, --data and --out (or --list)", "less");
    known_ = read_classes(data_);
    for (const std::string& path : unknown_) unknown_sets_.push_back(read_classes(path));
    Split split = make();
    add_background(split, log);
    write_split(out_, split);
    log.info("data", "split {} trial {}: {} known, {} background and {} unknown choices of classes", split.name,
             split.trial, split.known.classes.size(), split.background.size(), split.unknown.size());
    fmt::print("{}  {}\n", split_hash(split), out_);
  }

 private:
  Split make() {
    if (name_ == "random") {
      require<ConfigError>(unknown_.empty(), "split random", "all classes from --data", "--unknown");
      random_.trial = trial_;
      return make_random_split(random_, known_);
    }
    if (name_ == "whole") {
      require<ConfigError>(!unknown_.empty(), "split whole", "data files with --unknown", "none");
      return make_whole_set_split(known_, unknown_sets_);
    }
    require<ConfigError>(unknown_.size() <= 1, "split " + name_, "at most one file with --unknown",
                         std::to_string(unknown_.size()));
    return make_published_split(name_, trial_, known_, unknown_.empty() ? known_ : unknown_sets_[0]);
  }

  /// A background of its own file joins whatever the split has, and is checked against all the others.
  void add_background(Split& split, const Log& log) const {
    if (background_.empty()) {
      require<ConfigError>(without_.empty(), "split " + name_, "--background with --without", "--without alone");
      return;
    }
    SplitFiles files;
    files.known = {known_.file, known_.class_names};
    for (std::size_t i = 0; i < split.background.size(); ++i) files.background.push_back(files.known);
    for (std::size_t i = 0; i < split.unknown.size(); ++i) {
      const NamedClasses& set = unknown_sets_.empty() ? known_ : unknown_sets_[i];
      files.unknown.push_back({set.file, set.class_names});
    }
    const NamedClasses background = read_classes(background_);
    split.background.push_back({background.set, ClassChoice::Rule::without, taken_out(background, log)});
    files.background.push_back({background.file, background.class_names});
    require_disjoint(split, files);
    for (const std::string& sentence : incomparable_sides(split, files)) log.warning("data", "{}", sentence);
  }

  /// Classes that were named must be there; of lists, those that are.
  std::vector<std::string> taken_out(const NamedClasses& background, const Log& log) const {
    std::vector<std::string> all;
    for (const std::string& word : without_) {
      if (!word.starts_with('@')) {
        all.push_back(word);
        continue;
      }
      const auto list = read_class_list(word.substr(1));
      const auto found = listed_classes(list, background.class_names);
      log.info("data", "{}: {} of {} classes are in {}", word, found.size(), list.size(), background.set);
      for (const std::string& name : found) {
        if (std::find(all.begin(), all.end(), name) == all.end()) all.push_back(name);
      }
    }
    return all;
  }

  std::string name_;
  bool list_ = false;
  std::string data_;
  std::vector<std::string> unknown_;
  std::string background_;
  std::vector<std::string> without_;
  int trial_ = 0;
  RandomSplit random_;
  std::string out_;
  NamedClasses known_;
  std::vector<NamedClasses> unknown_sets_;
};

}  // namespace

std::unique_ptr<DataVerb> make_split_verb() {
  return std::make_unique<SplitVerb>();
}

}  // namespace bcr::io
