#include "src/run/receipt.hpp"

#include "src/core/atomic_file.hpp"
#include "src/core/error.hpp"
#include "src/core/manifest.hpp"
#include "src/core/sealed_text.hpp"
#include "src/core/text_file.hpp"
#include "src/run/json_tree.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bcr::run {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view receipt_format = "bcr receipt";

std::string verdict_of(const Receipt& receipt) {
  return receipt.is_confirmed() ? "confirmed" : "refuted";
}

ConfigValue intervals_value(const std::vector<ReplayedInterval>& replayed) {
  ConfigValue::Array list;
  for (const ReplayedInterval& interval : replayed) {
    ConfigValue& entry = list.emplace_back(ConfigValue::Table(), Origin(), std::string());
    entry.at_or_insert("after_step") = codec::encode(interval.steps.from);
    entry.at_or_insert("until_step") = codec::encode(interval.steps.to);
    entry.at_or_insert("drawn") = codec::encode(interval.drawn);
    entry.at_or_insert("replayed_from") = codec::encode(interval.from);
    entry.at_or_insert("weights_sha256") = codec::encode(interval.weights_sha256);
    entry.at_or_insert("differences") = codec::encode(interval.differences);
  }
  return {std::move(list), {}, {}};
}

ReplayedInterval interval_of(const Json& entry) {
  return {.steps = {entry.at("after_step").get<std::uint64_t>(), entry.at("until_step").get<std::uint64_t>()},
          .drawn = entry.at("drawn").get<bool>(),
          .from = entry.at("replayed_from").get<std::string>(),
          .weights_sha256 = entry.at("weights_sha256").get<std::string>(),
          .differences = entry.at("differences").get<std::vector<std::string>>()};
}

Receipt receipt_of(const Json& tree) {
  Receipt receipt;
  const Json& run = tree.at("run");
  receipt.files = run.at("files").get<std::map<std::string, std::string>>();
  receipt.run_sha256 = run.at("sha256").get<std::string>();
  receipt.intervals = run.at("intervals").get<std::size_t>();
  receipt.faults = run.at("faults").get<std::vector<std::string>>();
  const Json& replay = tree.at("replay");
  receipt.challenge = replay.at("challenge").get<std::string>();
  receipt.drawn = replay.at("drawn").get<std::size_t>();
  receipt.ranks = replay.at("ranks").get<int>();
  receipt.threads = replay.at("threads").get<int>();
  receipt.seconds = replay.at("seconds").get<double>();
  for (const Json& entry : replay.at("intervals")) receipt.replayed.push_back(interval_of(entry));
  return receipt;
}

/// The files of a run beside those that the receipt is about.
std::string first_other_file(const std::map<std::string, std::string>& receipt,
                             const std::map<std::string, std::string>& run) {
  std::map<std::string, std::string> all = run;
  all.insert(receipt.begin(), receipt.end());
  for (const auto& [name, sha256] : all)
    if (!run.contains(name) || !receipt.contains(name) || run.at(name) != receipt.at(name)) return name;
  return "";
}

}  // namespace

bool Receipt::is_confirmed() const {
  const bool all_equal = std::all_of(replayed.begin(), replayed.end(),
                                     [](const ReplayedInterval& interval) { return interval.differences.empty(); });
  return faults.empty() && !replayed.empty() && all_equal;
}

void write_receipt(const fs::path& file, const Receipt& receipt) {
  Manifest manifest;  // versions and hardware
  manifest.set("run.sha256", receipt.run_sha256);
  manifest.set("run.intervals", receipt.intervals);
  manifest.set("run.faults", receipt.faults);
  ConfigValue files{ConfigValue::Table(), {}, {}};
  for (const auto& [name, sha256] : receipt.files) files.at_or_insert(name) = codec::encode(sha256);
  manifest.set_value("run.files", std::move(files));
  manifest.set("replay.challenge", receipt.challenge);
  manifest.set("replay.drawn", receipt.drawn);
  manifest.set("replay.ranks", receipt.ranks);
  manifest.set("replay.threads", receipt.threads);
  manifest.set("replay.seconds", receipt.seconds);
  manifest.set_value("replay.intervals", intervals_value(receipt.replayed));
  manifest.set("verdict", verdict_of(receipt));
  manifest.set("format", receipt_format);
  manifest.set("format_version", 1);
  manifest.set("checksum", std::string(open_seal));
  write_file(file, seal(manifest.to_json()));
}

Receipt read_receipt(const fs::path& file) {
  const std::string text = read_text(file);
  const Json tree = parse_object(text, file.string());
  try {
    if (tree.value("format", "") != receipt_format || tree.value("format_version", 0) != 1)
      throw IoError("read " + file.string(), "a receipt of bcr-verify --replay, version 1", "another file");
    require_seal(text, file.string(), SealWanted::always);
    const Receipt receipt = receipt_of(tree);
    if (tree.at("verdict").get<std::string>() != verdict_of(receipt))
      throw IoError("read " + file.string(), "the verdict of its intervals, " + verdict_of(receipt),
                    tree.at("verdict").get<std::string>());
    return receipt;
  } catch (const Json::exception& error) {
    throw IoError("read " + file.string(), "all members of a receipt", error.what());
  }
}

std::vector<Finding> verify_receipt(const fs::path& file, const fs::path& run) {
  std::vector<Finding> findings;
  const auto expect = [&](const std::string& what, const bool holds, const std::string& otherwise) {
    using enum Finding::Verdict;
    findings.push_back({holds ? right : wrong, file.string(), holds ? what : what + ": " + otherwise});
  };
  const Receipt receipt = read_receipt(file);
  expect("is what was written", true, "");
  expect("names the hash of its list of files", hash_of_files(receipt.files) == receipt.run_sha256, "another");
  expect("confirms the run", receipt.is_confirmed(), "it refutes it");
  if (run.empty()) return findings;
  const RunClaims claims = read_claims(RunDirectory(run));
  const std::string other = first_other_file(receipt.files, claims.files);
  expect("is about the files of " + run.string(), other.empty(), fmt::format("{} is another", other));
  std::vector<Interval> drawn;
  for (const ReplayedInterval& interval : receipt.replayed)
    if (interval.drawn) drawn.push_back(interval.steps);
  expect("is about the intervals that the hash of the run draws",
         drawn == draw(claims.intervals(), receipt.drawn, claims.sha256, receipt.challenge), "they are others");
  for (const ReplayedInterval& interval : receipt.replayed) {
    const auto claimed = claims.by_step.find(interval.steps.to);
    if (claimed == claims.by_step.end() || !receipt.is_confirmed()) continue;
    for (const Claim& claim : claimed->second)
      if (claim.about == Claim::About::weights)
        expect(fmt::format("has the weights of {} after step {}", claim.file, interval.steps.to),
               claim.sha256 == interval.weights_sha256, "others");
  }
  return findings;
}

}  // namespace bcr::run
