#include "src/core/atomic_file.hpp"
#include "src/core/error.hpp"
#include "src/scale/commands/scale_verb.hpp"
#include "src/scale/launch/batch_script.hpp"
#include "src/scale/study/study.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace bcr::scale {
namespace {

namespace fs = std::filesystem;

/// The program that runs, wherever PATH found it.
std::string own_program() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  return error ? "bcr-scale" : program.string();
}

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

  Outcome run(const Surroundings& surroundings) override {
    require_one_rank(surroundings.ranks, "study");
    const auto options = surroundings.config.read<StudyOptions>();
    if (print_config_) {
      fmt::print("{}", to_toml(options, Comments::help));
      return Outcome::done;
    }
    if (dry_run_) {
      fmt::print("{}", study_commands(options, own_program()));
      return Outcome::done;
    }
    require<ConfigError>(!out_.empty(), "--out", "a directory for the results", "none");
    if (!sbatch_.empty()) return write_script(options, surroundings.log);
    const StudyResult result = run_study(options, out_, own_program(), again_ ? Kept::again : Kept::reused,
                                         surroundings.log, surroundings.stop);
    if (surroundings.stop()) {
      surroundings.log.info("scale", "stopped; the same command goes on");
      return Outcome::failed;
    }
    fmt::print("{}", write_study(result, out_));
    surroundings.log.info("scale", "{} points, {} failed; {}", result.points.size(), result.failed.size(),
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
    const Command study{{own_program(), "study", "--config", file.string(), "--out", fs::absolute(out_).string()}, {}};
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

}  // namespace

std::unique_ptr<ScaleVerb> make_study_verb() {
  return std::make_unique<StudyVerb>();
}

}  // namespace bcr::scale
