#include "src/train/commands/verify_command.hpp"

#include "src/train/rank_agreement.hpp"
#include "src/train/replay.hpp"
#include "src/train/run_settings.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <chrono>

namespace bcr::train {
namespace {

namespace fs = std::filesystem;
using run::Finding;

/// Returns how many are wrong.
std::size_t print(const std::vector<Finding>& findings) {
  std::size_t bad = 0;
  for (const Finding& finding : findings) {
    using enum Finding::Verdict;
    bad += finding.verdict == wrong ? 1 : 0;
    fmt::print("{:<4} {}  {}\n",
               finding.verdict == right   ? "ok"
               : finding.verdict == wrong ? "BAD"
                                          : "?",
               finding.file, finding.text);
  }
  return bad;
}

/// The options of a run, with its data where they lie on this machine.
RunOptions options_here(const run::RunDirectory& directory, const Config& config) {
  const std::vector<fs::path> files{directory.config()};
  const RunOptions trained = Config::load(files).read<RunOptions>();
  const RunOptions here = config.read<RunOptions>(trained);
  const RunSettings before = settings_of(to_toml(trained), directory.config().string());
  for (const auto& [key, value] : settings_of(to_toml(here), "command line")) {
    const auto was = before.find(key);
    if ((was == before.end() || was->second != value) && !is_a_place(key))
      throw ConfigError("--" + key, "the configuration of the run, but for the places of its data", value);
  }
  if (here.mode != nn::Mode::strict)
    throw ConfigError("--replay", "a run of mode strict, whose bits can be had again", "one of mode fast");
  return here;
}

std::vector<Finding> findings_of(const run::Receipt& receipt) {
  std::vector<Finding> findings;
  for (const run::ReplayedInterval& interval : receipt.replayed) {
    const std::string steps = fmt::format("steps {} to {}", interval.steps.from + 1, interval.steps.to);
    if (interval.differences.empty())
      findings.push_back({Finding::Verdict::right, steps, "are what the run says, replayed from " + interval.from});
    for (const std::string& difference : interval.differences)
      findings.push_back({Finding::Verdict::wrong, steps, difference});
  }
  return findings;
}

}  // namespace

void VerifyCommand::declare(CLI::App& parser) {
  parser.add_option("RUN", runs_, "run directories, as bcr-train and bcr-eval fill them");
  auto* const replay = parser
                           .add_option("--replay", replay_,
                                       "compute N intervals of steps again, drawn by the hash of the run, and compare")
                           ->type_name("N")
                           ->check(CLI::PositiveNumber);
  parser.add_option("--challenge", challenge_, "a word of yours that takes part in the draw")
      ->type_name("WORD")
      ->needs(replay);
  parser.add_option("--out", out_, "the receipt of a replay; default: receipt.json of the run")
      ->type_name("FILE")
      ->needs(replay);
  parser.add_option("--receipt", receipt_, "verify this receipt, by itself or beside RUN")
      ->type_name("FILE")
      ->excludes(replay);
}

void VerifyCommand::run(const Config& config, const Log& log, comm::Communicator& ranks) const {
  if (runs_.empty() && receipt_.empty())
    throw ConfigError("bcr-verify", "a run directory or --receipt FILE", "neither");
  if (runs_.size() > 1 && (replay_ || !receipt_.empty()))
    throw ConfigError("bcr-verify", "one RUN with --replay or --receipt", fmt::format("{}", runs_.size()));
  std::size_t bad = 0;
  if (!receipt_.empty()) {
    if (ranks.is_root()) bad = print(run::verify_receipt(receipt_, runs_.empty() ? fs::path() : runs_.front()));
  } else {
    for (const fs::path& path : runs_) {
      const std::vector<Finding> findings = run::verify_run(path);
      if (ranks.is_root()) bad += print(findings);
      if (!replay_) continue;
      const run::Receipt receipt = replay_run(path, config, log, ranks, findings);
      if (!ranks.is_root()) continue;
      bad += print(findings_of(receipt));
      const fs::path file = out_.empty() ? path / "receipt.json" : out_;
      run::write_receipt(file, receipt);
      log.info("verify", "{}: {} of {} intervals replayed in {:.1f} s, receipt in {}",
               receipt.is_confirmed() ? "confirmed" : "refuted", receipt.replayed.size(), receipt.intervals,
               receipt.seconds, file.string());
    }
  }
  if (bad > 0) throw IoError("verify", "files that agree", fmt::format("{} that do not", bad));
}

run::Receipt VerifyCommand::replay_run(const fs::path& path, const Config& config, const Log& log,
                                       comm::Communicator& ranks, const std::vector<Finding>& findings) const {
  const run::RunDirectory directory(path);
  const RunOptions options = options_here(directory, config);
  const run::RunClaims claims = run::read_claims(directory);
  const std::vector<run::Interval> intervals = claims.intervals();
  const std::vector<run::Interval> drawn = run::draw(intervals, *replay_, claims.sha256, challenge_);
  if (drawn.empty())
    throw IoError("--replay " + path.string(), "a run with checkpoints, or with digests in its log (train.hash_every)",
                  "one with neither");
  if (claims.log.weights.empty())
    log.info("verify", "the log has no digests of weights: with train.hash_every shorter intervals could be drawn");
  run::Receipt receipt;
  receipt.files = claims.files;
  receipt.run_sha256 = claims.sha256;
  receipt.challenge = challenge_;
  receipt.drawn = drawn.size();
  receipt.intervals = intervals.size();
  receipt.ranks = ranks.size();
  for (const Finding& finding : findings)
    if (finding.verdict == Finding::Verdict::wrong) receipt.faults.push_back(finding.file + "  " + finding.text);
  const auto begin = std::chrono::steady_clock::now();
  Experiment experiment(options, log, ranks);
  receipt.threads = experiment.context.exec.concurrency();
  receipt.replayed = replay(experiment, directory, claims, drawn);
  receipt.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return receipt;
}

}  // namespace bcr::train
