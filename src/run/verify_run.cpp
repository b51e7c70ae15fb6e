#include "src/run/verify_run.hpp"

#include "io/hdf5/checkpoint.hpp"
#include "io/hdf5/data_file.hpp"
#include "io/hdf5/scores_file.hpp"
#include "io/splits/split.hpp"
#include "src/core/config.hpp"
#include "src/core/config/codec.hpp"
#include "src/core/error.hpp"
#include "src/core/sealed_text.hpp"
#include "src/core/text_file.hpp"
#include "src/run/json_tree.hpp"
#include "src/run/manifest_file.hpp"
#include "src/run/metrics_file.hpp"
#include "src/run/run_directory.hpp"
#include "src/run/train_log.hpp"
#include "src/run/verify_evaluation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <map>
#include <optional>
#include <sstream>

namespace bcr::run {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 2> weights{"parameters/", "statistics/"};
constexpr std::array<std::string_view, 1> everything{""};

/// What of a checkpoint other files speak about.
struct CheckpointFacts {
  std::uint64_t step = 0;
  std::string weights_sha256;
  std::string tensors_sha256;
  io::Checkpoint said;  ///< without its tensors
};

class RunCheck {
 public:
  explicit RunCheck(const fs::path& directory) : directory_(directory) {}

  std::vector<Finding> run() {
    for (const fs::path& path : directory_.checkpoints()) read_checkpoint(path);
    read("manifest.json", [&](const fs::path& path) {
      const std::string text = read_text(path);
      manifest_ = parse_manifest(text, path.string());
      tree_ = parse_object(text, path.string());
      return seal_of(text) == Seal::right;
    });
    read("train.jsonl", [&](const fs::path& path) {
      log_ = parse_train_log(read_text(path), path.string());
      return log_->is_chained;
    });
    read("metrics.json", [&](const fs::path& path) {
      const std::string text = read_text(path);
      metrics_ = parse_metrics(text, path.string());
      return seal_of(text) == Seal::right;
    });
    read("scores.h5", [&](const fs::path& path) {
      scores_ = io::read_scores_file(path);
      return scores_->is_checked;
    });
    if (fs::exists(directory_.config())) config_ = read_text(directory_.config());
    if (findings_.list().empty())
      throw IoError("verify " + directory_.path().string(), "a run directory, as bcr-train fills it",
                    "none of its files");
    compare_checkpoints();
    compare_split();
    compare_log();
    compare_metrics();
    compare_scores();
    compare_data();
    return findings_.list();
  }

 private:
  /// `read_file` says whether the file has a checksum of its content.
  template <class Read>
  void read(const std::string& name, const Read& read_file) {
    const fs::path path = directory_.path() / name;
    if (!fs::exists(path)) return;
    try {
      if (read_file(path)) {
        findings_.right(name, "is what was written");
      } else {
        findings_.unknown(name, "can be read; an early program wrote it, without a checksum");
      }
    } catch (const Error& error) {
      findings_.wrong(name, error.what());
    }
  }

  void read_checkpoint(const fs::path& path) {
    const std::string name = path.filename().string();
    read(name, [&](const fs::path& file) {
      io::Checkpoint checkpoint = io::read_checkpoint(file);
      CheckpointFacts facts{checkpoint.step,
                            io::sha256_of(checkpoint.tensors, weights),
                            io::sha256_of(checkpoint.tensors, everything),
                            {}};
      checkpoint.tensors.clear();
      facts.said = std::move(checkpoint);
      const bool is_checked = facts.said.is_checked;
      checkpoints_.emplace(name, std::move(facts));
      return is_checked;
    });
  }

  /// The run is one: its checkpoints agree with each other, with the manifest and the configuration.
  void compare_checkpoints() {
    const auto latest = checkpoints_.find("checkpoint-latest.h5");
    if (latest == checkpoints_.end()) return;
    const io::Checkpoint& run = latest->second.said;
    for (const auto& [name, facts] : checkpoints_) {
      if (name == latest->first) continue;
      findings_.expect(name, "is of the same run: split", run.split_hash, facts.said.split_hash);
      findings_.expect(name, "is of the same run: data", run.data, facts.said.data);
      findings_.expect(name, "is of the same run: model", run.model, facts.said.model);
      findings_.expect(name, "is of the same run: seed", std::to_string(run.seed), std::to_string(facts.said.seed));
    }
    if (!config_.empty())
      findings_.expect("config.resolved.toml", "is the configuration of the last steps", run.config, config_);
    if (manifest_.entries.empty()) return;
    findings_.expect("manifest.json", "names the seed of the checkpoint", std::to_string(run.seed),
                     manifest_.text("seed"));
    findings_.expect("manifest.json", "names the model of the checkpoint", run.model, manifest_.text("model"));
    findings_.expect("manifest.json", "names the split of the checkpoint", run.split_hash,
                     manifest_.text("split.hash"));
    const std::string final_weights = manifest_.text("sha256.final_weights");
    if (final_weights.empty()) {
      findings_.unknown("manifest.json", "the training has not ended: no final weights are named");
    } else {
      findings_.expect("manifest.json", "names the weights of checkpoint-latest.h5", latest->second.weights_sha256,
                       final_weights);
      findings_.expect("manifest.json", "names the steps of checkpoint-latest.h5", std::to_string(latest->second.step),
                       manifest_.text("steps"));
    }
  }

  void compare_log() {
    if (log_ && log_->end_reason == "done" && !log_->epochs.empty())
      findings_.expect("train.jsonl", "ends with the last step", manifest_.text("steps"),
                       fmt::format("{:.0f}", log_->epochs.back().number("step").value_or(0)));
    if (!log_) return;
    for (const auto& [name, facts] : checkpoints_)
      for (const LogRecord& record : log_->weights)
        if (record.number("step") == double(facts.step))
          findings_.expect("train.jsonl", fmt::format("has the weights of {}", name), facts.weights_sha256,
                           record.text("sha256"));
  }

  void compare_metrics() {
    if (!metrics_) return;
    const auto found = checkpoints_.find(metrics_->from.checkpoint);
    if (found == checkpoints_.end()) {
      findings_.unknown("metrics.json",
                        fmt::format("were made from '{}', which is not here", metrics_->from.checkpoint));
      return;
    }
    findings_.expect("metrics.json", "were made from the weights of " + found->first, found->second.weights_sha256,
                     metrics_->from.weights_sha256);
    findings_.expect("metrics.json", "were made after its steps", std::to_string(found->second.step),
                     std::to_string(metrics_->from.step.value_or(0)));
    if (found->first == "checkpoint-latest.h5" && !manifest_.text("sha256.test_logits").empty() && has_own_test_data())
      findings_.expect("metrics.json", "have the test logits of the training", manifest_.text("sha256.test_logits"),
                       metrics_->test_logits_sha256);
  }

  /// Whether the evaluation was made on the data of the run, and not on others that were asked for.
  bool has_own_test_data() const {
    std::map<std::string, std::vector<std::string>> digests;
    for (const auto& [side, entry] : object_at(tree_, "data").items())
      for (const Json& digest : entry.value("sha256", Json::array()))
        digests[side].push_back(digest.get<std::string>());
    std::map<std::string, std::vector<std::string>> evaluated = metrics_->from.data_sha256;
    std::erase_if(evaluated, [](const auto& entry) { return entry.second.empty(); });
    return evaluated == digests && metrics_->from.split_hash == manifest_.text("split.hash");
  }

  void compare_scores() {
    if (!scores_ || !metrics_) return;
    if (const auto found = checkpoints_.find(metrics_->from.checkpoint); found != checkpoints_.end()) {
      findings_.expect("scores.h5", "were made from " + found->first, found->second.tensors_sha256,
                       scores_->checkpoint_sha256);
      compare_with_split(*metrics_, *scores_, found->second.said, findings_);
    }
    compare_with_scores(*metrics_, *scores_, findings_);
  }

  /// The split of the checkpoint is whole, and the file that it came from still says the same.
  void compare_split() {
    const auto latest = checkpoints_.find("checkpoint-latest.h5");
    if (latest == checkpoints_.end()) return;
    const io::Checkpoint& run = latest->second.said;
    try {
      if (!run.split.empty()) {
        const io::Split split = io::parse_split(run.split, latest->first);
        findings_.expect(latest->first, "names the hash of its split", io::split_hash(split), run.split_hash);
        findings_.expect(latest->first, "has the known classes of its split",
                         fmt::format("{}", fmt::join(split.known.classes, ", ")),
                         fmt::format("{}", fmt::join(run.class_names, ", ")));
      }
      const Config data = Config::parse(run.config, latest->first).section("data");
      std::string path;
      if (const ConfigValue* const value = data.tree().find("split")) codec::decode(*value, path);
      if (path.empty()) return;
      if (!fs::exists(path)) return findings_.unknown(path, "(split) is no longer here");
      findings_.expect(path, "(split) is what the run was made with", run.split_hash,
                       io::split_hash(io::read_split(path)));
    } catch (const Error& error) {
      findings_.wrong(latest->first, error.what());
    }
  }

  /// The data files that the manifest names, where they still are, against the digests that it and the checkpoint have.
  void compare_data() {
    std::map<std::string, std::string> trained;  // by side, as the checkpoint has them
    if (const auto latest = checkpoints_.find("checkpoint-latest.h5"); latest != checkpoints_.end()) {
      std::istringstream lines(latest->second.said.data);
      for (std::string line; std::getline(lines, line);)
        if (const std::size_t space = line.find(' '); space != std::string::npos)
          trained[line.substr(0, space)] = line.substr(space + 1);
    }
    for (const auto& [side, entry] : object_at(tree_, "data").items()) {
      const auto files = entry.find("files"), digests = entry.find("sha256");
      if (files == entry.end() || digests == entry.end() || files->size() != digests->size()) continue;
      std::string joined;
      for (std::size_t i = 0; i < files->size(); ++i) {
        const auto path = (*files)[i].get<std::string>(), digest = (*digests)[i].get<std::string>();
        joined += (joined.empty() ? "" : " ") + digest;
        compare_data_file(side, path, digest);
      }
      if (!joined.empty() && !trained.empty())
        findings_.expect("manifest.json", fmt::format("names the data of the checkpoint: {}", side), trained[side],
                         joined);
    }
  }

  void compare_data_file(const std::string& side, const fs::path& path, const std::string& digest) {
    if (!fs::exists(path)) {
      findings_.unknown(path.string(), fmt::format("({}) is no longer here", side));
      return;
    }
    try {
      const auto file = io::open_data_file(path);
      file->verify();
      findings_.expect(path.string(), fmt::format("({}) is what the run was made with", side), digest,
                       file->info().sha256);
    } catch (const Error& error) {
      findings_.wrong(path.string(), error.what());
    }
  }

  RunDirectory directory_;
  Findings findings_;
  std::map<std::string, CheckpointFacts> checkpoints_;  ///< by the name of the file
  std::string config_;
  ManifestEntries manifest_;
  Json tree_ = Json::object();  ///< the manifest once more
  std::optional<TrainLog> log_;
  std::optional<Metrics> metrics_;
  std::optional<io::ScoresFile> scores_;
};

}  // namespace

std::vector<Finding> verify_run(const fs::path& directory) {
  if (!fs::is_directory(directory))
    throw IoError("verify " + directory.string(), "a run directory", fs::exists(directory) ? "a file" : "nothing");
  return RunCheck(directory).run();
}

}  // namespace bcr::run
