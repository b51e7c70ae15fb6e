#include "src/run/claims.hpp"

#include "io/hdf5/checkpoint.hpp"
#include "src/core/error.hpp"
#include "src/core/sha256.hpp"
#include "src/core/text_file.hpp"
#include "src/run/manifest_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace bcr::run {
namespace {

namespace fs = std::filesystem;

void add_checkpoint(const fs::path& path, RunClaims& claims) {
  constexpr std::array<std::string_view, 1> everything{""};
  try {
    const io::Checkpoint checkpoint = io::read_checkpoint(path);
    if (checkpoint.step == 0) return;
    claims.by_step[checkpoint.step].push_back(
        {path.filename().string(), Claim::About::all_tensors, io::sha256_of(checkpoint.tensors, everything)});
    claims.starts.emplace(checkpoint.step, path);
  } catch (const IoError&) {
    return;
  }
}

void add_final_weights(const ManifestEntries& manifest, RunClaims& claims) {
  const std::string weights = manifest.text("sha256.final_weights"), steps = manifest.text("steps");
  std::uint64_t step = 0;
  std::from_chars(steps.data(), steps.data() + steps.size(), step);
  if (!weights.empty() && step > 0) claims.by_step[step].push_back({"manifest.json", Claim::About::weights, weights});
}

}  // namespace

std::vector<Interval> RunClaims::intervals() const {
  std::vector<Interval> list;
  std::uint64_t before = 0;
  for (const auto& [step, claims] : by_step) list.push_back({std::exchange(before, step), step});
  return list;
}

RunClaims read_claims(const RunDirectory& directory) {
  RunClaims claims;
  const std::vector<fs::path> checkpoints = directory.checkpoints();
  std::vector<fs::path> files{directory.manifest(), directory.config(), directory.log()};
  files.insert(files.end(), checkpoints.begin(), checkpoints.end());
  for (const fs::path& path : files) claims.files[path.filename().string()] = sha256_hex(read_text(path));
  claims.sha256 = hash_of_files(claims.files);
  claims.log = parse_train_log(read_text(directory.log()), directory.log().string());
  const ManifestEntries manifest = parse_manifest(read_text(directory.manifest()), directory.manifest().string());
  claims.initial_weights = manifest.text("sha256.initial_weights");
  for (const LogRecord& record : claims.log.weights)
    if (const double step = record.number("step").value_or(0); step >= 1)
      claims.by_step[static_cast<std::uint64_t>(step)].push_back(
          {"train.jsonl", Claim::About::weights, record.text("sha256")});
  for (const fs::path& path : checkpoints) add_checkpoint(path, claims);
  add_final_weights(manifest, claims);
  return claims;
}

std::string hash_of_files(const std::map<std::string, std::string>& files) {
  std::string list;
  for (const auto& [name, sha256] : files) list += fmt::format("{}  {}\n", sha256, name);
  return sha256_hex(list);
}

std::vector<Interval> draw(const std::vector<Interval>& intervals, const std::size_t count,
                           const std::string_view run_sha256, const std::string_view challenge) {
  std::vector<std::pair<std::string, Interval>> lots;
  for (const Interval& interval : intervals)
    lots.emplace_back(sha256_hex(fmt::format("{} {} {}", run_sha256, interval.to, challenge)), interval);
  std::sort(lots.begin(), lots.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  lots.resize(std::min(count, lots.size()));
  std::vector<Interval> drawn;
  for (const auto& [lot, interval] : lots) drawn.push_back(interval);
  std::sort(drawn.begin(), drawn.end(), [](const Interval& a, const Interval& b) { return a.to < b.to; });
  return drawn;
}

}  // namespace bcr::run
