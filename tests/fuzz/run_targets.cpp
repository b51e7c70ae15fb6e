// The text files of a run directory, as bcr-verify, bcr-report and a resume read them. A checksum refuses nearly every
// change before much of a reader is reached: each seed is also there as an early program wrote it, without one.
#include "src/core/sealed_text.hpp"
#include "src/core/text_file.hpp"
#include "src/run/manifest_file.hpp"
#include "src/run/metrics_file.hpp"
#include "src/run/receipt.hpp"
#include "src/run/train_log.hpp"
#include "tests/fuzz/target_lists.hpp"
#include "tests/support/scratch_directory.hpp"

#include <memory>
#include <stdexcept>

namespace bcr::fuzz {
namespace {

std::string log_text() {
  const test::ScratchDirectory directory;
  const std::filesystem::path path = directory.path() / "train.jsonl";
  {
    run::TrainLogFile log(path);
    log.append(run::LogRecord("step").set("step", std::int64_t{4}).set("lr", 0.1).set("loss.total", 1.5));
    log.append(run::LogRecord("epoch").set("epoch", std::int64_t{1}).set("step", std::int64_t{4}).set("seconds", 2.5));
    log.append(run::LogRecord("eval").set("step", std::int64_t{4}).set("auroc", 0.5).set("score", "energy"));
    log.append(run::LogRecord("weights").set("step", std::int64_t{4}).set("sha256", std::string(64, 'a')));
    log.append(run::LogRecord("resume").set("step", std::int64_t{4}).set("from", "checkpoint-latest.h5"));
    log.append(run::LogRecord("end").set("step", std::int64_t{4}).set("reason", "done"));
  }
  return read_text(path);
}

constexpr const char* early_log =
    "{\"kind\": \"step\", \"step\": 4, \"loss\": {\"total\": 1.5, \"mean\": null}}\n{\"kind\": \"end\", \"step\": 4, \"reason\": "
    "\"done\"}\n";

/// What is written again and read again is the same.
void read_log(const std::string& text) {
  const run::TrainLog log = run::parse_train_log(text, "train.jsonl");
  for (const auto* const records : {&log.steps, &log.epochs, &log.validations, &log.evaluations, &log.weights})
    for (const run::LogRecord& record : *records) {
      const auto again = run::parse_line(record.to_line());
      if (!again) throw std::logic_error("a line that is none when it was written again");
    }
}

std::string metrics_text() {
  run::Metrics metrics;
  metrics.default_score = "energy";
  metrics.accuracy = 0.75;
  metrics.from = {"checkpoint-latest.h5", 4, "def", "012", {{"known_train", {"345"}}}};
  metrics.sets = {{"ships", {{"energy", {{"auroc", 0.75}, {"accuracy", 0.5}}}}}};
  metrics.average = metrics.sets[0].scores;
  metrics.decisions = {{"energy", {{"recall", {2.0, "95 % of 9 images"}}}}};
  const test::ScratchDirectory directory;
  run::write_metrics(directory.path() / "metrics.json", metrics);
  return read_text(directory.path() / "metrics.json");
}

std::string receipt_text() {
  run::Receipt receipt;
  receipt.files = {{"manifest.json", std::string(64, 'a')}};
  receipt.run_sha256 = run::hash_of_files(receipt.files);
  receipt.drawn = receipt.intervals = 1;
  receipt.replayed = {{{0, 4}, true, "initial weights", std::string(64, 'b'), {}}};
  const test::ScratchDirectory directory;
  run::write_receipt(directory.path() / "receipt.json", receipt);
  return read_text(directory.path() / "receipt.json");
}

constexpr const char* manifest =
    "{\"format_version\": 1, \"seed\": 1, \"sha256\": {\"final_weights\": \"0123\"}, \"ranks\": 2, \"parts\": "
    "[{\"host\": "
    "\"node\", \"ranks\": 2, \"threads\": 4, \"from_step\": 0}], \"computed_by\": [\"conv: strict\"], \"checksum\": \"";

test::Bytes bytes_of(const std::string& text) {
  return {text.begin(), text.end()};
}

/// Without its version and checksum.
std::string early(const std::string& text) {
  std::string old = text;
  for (const char* const member : {"\"version\": 2", "\"format_version\": 1", "\"checksum\""})
    if (const std::size_t at = old.find(member); at != std::string::npos) old[at + 1] = 'x';
  return old;
}

}  // namespace

void add_run_files(std::vector<Target>& list) {
  list.push_back({"train_log", "json", {bytes_of(log_text()), bytes_of(early_log)}, [](const test::Bytes& bytes) {
                    read_log({bytes.begin(), bytes.end()});
                  }});
  const std::string metrics = metrics_text();
  list.push_back({"metrics", "json", {bytes_of(metrics), bytes_of(early(metrics))}, [](const test::Bytes& bytes) {
                    run::parse_metrics(std::string(bytes.begin(), bytes.end()), "metrics.json");
                    run::parse_trial_metrics(std::string(bytes.begin(), bytes.end()), "metrics.json");
                  }});
  const std::string sealed = seal(manifest + std::string(open_seal) + "\"}\n");
  const auto folder = std::make_shared<test::ScratchDirectory>();
  list.push_back({"manifest",
                  "json",
                  {bytes_of(sealed), bytes_of(early(sealed))},
                  [path = folder->path() / "manifest.json", folder](const test::Bytes& bytes) {
                    test::write_bytes(path, bytes);
                    run::read_parts(path);
                    run::parse_manifest(read_text(path), path.string());
                  }});
  list.push_back({"receipt",
                  "json",
                  {bytes_of(receipt_text())},
                  [path = folder->path() / "receipt.json", folder](const test::Bytes& bytes) {
                    test::write_bytes(path, bytes);
                    run::read_receipt(path);
                  }});
}

}  // namespace bcr::fuzz
