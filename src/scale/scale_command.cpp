#include "src/scale/scale_command.hpp"

#include "src/core/atomic_file.hpp"
#include "src/core/error.hpp"
#include "src/scale/figures/campaign_page.hpp"
#include "src/scale/launch/launch.hpp"
#include "src/scale/measure/measure_point.hpp"
#include "src/scale/p3/speed_comparison.hpp"
#include "src/scale/study/study.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace bcr::scale {

/// One verb of bcr-scale: adds its options to the parser, and runs if it was the one given.
class ScaleVerb {
 public:
  virtual ~ScaleVerb() = default;
  virtual CLI::App* declare(CLI::App& parser) = 0;
  virtual Outcome run(const CommandContext& context) = 0;
};

namespace {

namespace fs = std::filesystem;

/// A ConfigError if a launcher started several of a verb that runs alone.
void require_one_rank(const comm::Communicator& ranks, const std::string_view verb) {
  require<ConfigError>(ranks.size() == 1, "bcr-scale " + std::string(verb),
                       "one process (a study starts the ranks of its points itself)", std::to_string(ranks.size()));
}

/// A ConfigError if there are --config files or dotted options, which only `study` reads.
void require_no_config(const Config& config, const std::string_view verb) {
  const auto& table = std::get<ConfigValue::Table>(config.tree().data);
  if (table.empty()) return;
  throw ConfigError("bcr-scale " + std::string(verb), "options that --help lists", table.front().value.origin.text());
}

class RunVerb final : public ScaleVerb {
 public:
  CLI::App* declare(CLI::App& parser) override {
    CLI::App* const verb = parser.add_subcommand("run", "time training steps in this process; JSON to stdout");
    for (const OptionSection& section : list_options<PointOptions>()) {
      for (const OptionLine& line : section.lines) {
        const auto take = [this, key = line.key](const std::string& value) { given_.push_back(key + "=" + value); };
        verb->add_option_function<std::string>(
                "--" + line.key, take,
                fmt::format("{} ({}; default {})", line.help, line.expected, to_toml_text(*line.value)))
            ->type_name("");
      }
    }
    return verb;
  }

  Outcome run(const CommandContext& context) override {
    require_no_config(context.config, "run");
    const auto options = Config::load({}, given_).read<PointOptions>();
    const std::optional<Point> point = measure_point(options, context.ranks, context.log, context.stop);
    if (!point) return Outcome::failed;
    if (context.ranks.is_root()) fmt::print("{}", point_json(*point));
    return Outcome::done;
  }

 private:
  std::vector<std::string> given_;
};

class StudyVerb final : public ScaleVerb {
 public:
  CLI::App* declare(CLI::App& parser) override {
    CLI::App* const verb =
        parser.add_subcommand("study", "strong and weak scaling and sizes, from a study file; tables and a report");
    verb->add_option("--out", out_, "directory of the study; one that was stopped goes on")->type_name("DIR");
    verb->add_flag("--again", again_, "measure all points anew");
    verb->add_flag("--dry-run", dry_run_, "print the commands that would be run");
    verb->add_option("--sbatch", sbatch_, "write a script for Slurm that runs this study, and measure nothing")
        ->type_name("FILE");
    verb->add_flag("--print-config", print_config_, "print the study file with every key explained");
    verb->footer(
        "Keys of the study file (--config FILE) can be given here too: --strong.threads=[1,2] --size.batch=[64,128]");
    return verb;
  }

  Outcome run(const CommandContext& context) override {
    require_one_rank(context.ranks, "study");
    const auto options = context.config.read<StudyOptions>();
    if (print_config_) {
      fmt::print("{}", to_toml(options, Comments::help));
      return Outcome::done;
    }
    if (dry_run_) {
      fmt::print("{}", study_commands(options, own_program("bcr-scale")));
      return Outcome::done;
    }
    require<ConfigError>(!out_.empty(), "--out", "a directory for the results", "none");
    if (!sbatch_.empty()) return write_script(options, context.log);
    const StudyResult result = run_study(options, out_, own_program("bcr-scale"), again_ ? Kept::again : Kept::reused,
                                         context.log, context.stop);
    if (context.stop()) {
      context.log.info("scale", "stopped; the same command goes on");
      return Outcome::failed;
    }
    fmt::print("{}", write_study(result, out_));
    context.log.info("scale", "{} points, {} failed; {}", result.points.size(), result.failed.size(),
                     (out_ / "report.html").string());
    return result.failed.empty() ? Outcome::done : Outcome::failed;
  }

 private:
  /// The job reads the study from a file beside its results, resolved, so that later changes elsewhere do not matter.
  Outcome write_script(StudyOptions options, const Log& log) const {
    options.launch.launcher = Launcher::srun;
    for (fs::path& platform : options.study.platforms) platform = fs::absolute(platform);
    std::vector<Resources> resources;
    for (const PlannedPoint& planned : plan_study(options).points) resources.push_back(planned.resources);
    std::error_code error;
    fs::create_directories(out_, error);
    if (error) throw IoError("make " + out_.string(), "a directory", error.message());
    const fs::path file = fs::absolute(out_) / "job.toml";
    write_file(file, to_toml(options));
    const Command study{
        {own_program("bcr-scale"), "study", "--config", file.string(), "--out", fs::absolute(out_).string()}, {}};
    write_file(sbatch_, batch_script(options.slurm, allocation_for(resources), study));
    log.info("scale", "sbatch {}", sbatch_.string());
    return Outcome::done;
  }

  fs::path out_;
  fs::path sbatch_;
  bool again_ = false;
  bool dry_run_ = false;
  bool print_config_ = false;
};

class CompareVerb final : public ScaleVerb {
 public:
  CLI::App* declare(CLI::App& parser) override {
    CLI::App* const verb =
        parser.add_subcommand("compare", "speed-ups between two tables; exit code 1 if one is slower");
    verb->add_option("BEFORE", before_, "table in the columns of P3, as study writes it")->required();
    verb->add_option("AFTER", after_, "another one")->required();
    verb->add_option("--flag", flag_, "growth of a time that counts as slower; default 0.1")
        ->type_name("SHARE")
        ->check(CLI::Range(0.0, 10.0));
    return verb;
  }

  Outcome run(const CommandContext& context) override {
    require_one_rank(context.ranks, "compare");
    require_no_config(context.config, "compare");
    const auto cases = compare_tables(read_p3(before_), read_p3(after_), flag_);
    if (!any_common(cases))
      throw IoError("compare " + before_.string() + " with " + after_.string(), "a common case", "none");
    fmt::print("{}", comparison_text(cases));
    return any_slower(cases) ? Outcome::failed : Outcome::done;
  }

 private:
  std::filesystem::path before_;
  std::filesystem::path after_;
  double flag_ = 0.1;
};

class MergeVerb final : public ScaleVerb {
 public:
  CLI::App* declare(CLI::App& parser) override {
    CLI::App* const verb = parser.add_subcommand(
        "merge", "join the tables of several machines and programs: performance portability, cascades, a page");
    verb->add_option("TABLES", tables_, "study.csv of each machine, and tables of scripts/campaign-peers")->required();
    verb->add_option("-o,--out", out_, "directory for the tables and the page")->type_name("DIR")->required();
    verb->add_option("--lines", lines_, "lines of code per backend (scripts/code-lines), for the navigation chart")
        ->type_name("FILE");
    verb->add_option("--title", title_, "heading of the page");
    return verb;
  }

  Outcome run(const CommandContext& context) override {
    require_one_rank(context.ranks, "merge");
    require_no_config(context.config, "merge");
    std::vector<CampaignTable> tables;
    for (const fs::path& file : tables_) tables.push_back({file.string(), read_p3(file)});
    const auto coverage = lines_.empty() ? std::map<std::string, CodeLines>() : read_coverage(lines_);
    const Campaign campaign = join_campaigns(tables);
    const std::vector<SetPortability> portability = portability_by_set(campaign, coverage);
    std::error_code error;
    fs::create_directories(out_, error);
    if (error) throw IoError("make " + out_.string(), "a directory", error.message());
    write_file(out_ / "campaign.csv", p3_text(campaign.rows));
    write_file(out_ / "efficiency.csv", efficiency_csv(campaign));
    write_file(out_ / "campaign.json", campaign_json(title_, campaign, portability));
    campaign_page(title_, campaign, portability).write(out_ / "campaign.html", out_ / "plots");
    fmt::print("{}", campaign_text(portability));
    for (const std::string& problem : campaign.left_out)
      context.log.warning("scale", "{}: left out, not measured on every machine", problem);
    context.log.info("scale", "{} measurements; {}", campaign.rows.size(), (out_ / "campaign.html").string());
    return Outcome::done;
  }

 private:
  std::vector<fs::path> tables_;
  fs::path out_;
  fs::path lines_;
  std::string title_ = "Performance portability";
};

}  // namespace

ScaleCommand::ScaleCommand() {
  entries_.push_back({std::make_unique<RunVerb>()});
  entries_.push_back({std::make_unique<StudyVerb>()});
  entries_.push_back({std::make_unique<CompareVerb>()});
  entries_.push_back({std::make_unique<MergeVerb>()});
}

ScaleCommand::~ScaleCommand() = default;

void ScaleCommand::declare(CLI::App& parser) {
  parser.require_subcommand(1);
  parser.fallthrough();
  for (Entry& entry : entries_) entry.parser = entry.verb->declare(parser);
}

Outcome ScaleCommand::run(const CommandContext& context) {
  for (Entry& entry : entries_)
    if (entry.parser->parsed()) return entry.verb->run(context);
  return Outcome::failed;
}

}  // namespace bcr::scale
