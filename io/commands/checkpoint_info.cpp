#include "io/commands/checkpoint_info.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace bcr::io {
namespace {

std::size_t parameters_of(const Checkpoint& checkpoint) {
  std::size_t count = 0;
  for (const NamedTensor& tensor : checkpoint.tensors)
    if (tensor.name.starts_with("parameters/")) count += tensor.values.size();
  return count;
}

/// As JSON has no infinity: null, which rejects nothing.
nlohmann::ordered_json thresholds_json(const Checkpoint& checkpoint) {
  auto json = nlohmann::ordered_json::array();
  for (const FoundThreshold& threshold : checkpoint.thresholds) {
    nlohmann::ordered_json entry{{"rule", threshold.rule}, {"score", threshold.score}};
    if (threshold.alpha) entry["alpha"] = *threshold.alpha;
    entry["values"] = threshold.values;
    entry["found"] = threshold.found;
    json.push_back(entry);
  }
  return json;
}

void print_json(const std::filesystem::path& path, const Checkpoint& checkpoint) {
  nlohmann::ordered_json json;
  json["path"] = path.string();
  json["model"] = checkpoint.model;
  json["mode"] = checkpoint.mode;
  json["parameters"] = parameters_of(checkpoint);
  json["seed"] = checkpoint.seed;
  json["step"] = checkpoint.step;
  json["optimizer"] = checkpoint.optimizer;
  json["split_hash"] = checkpoint.split_hash;
  json["classes"] = checkpoint.class_names;
  json["sample"] = checkpoint.sample;
  json["fit"] = checkpoint.fit;
  json["mean"] = checkpoint.mean;
  json["std"] = checkpoint.std;
  json["validation_samples"] = checkpoint.calibration.scores.size();
  json["thresholds"] = thresholds_json(checkpoint);
  fmt::print("{}\n", json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

void print_lines(const std::filesystem::path& path, const Checkpoint& checkpoint) {
  fmt::print("file        {}\nmodel       {}\nmode        {}\nparameters  {}\nseed        {}\nstep        {}\n",
             path.string(), checkpoint.model, checkpoint.mode, parameters_of(checkpoint), checkpoint.seed,
             checkpoint.step);
  if (!checkpoint.mean.empty())
    fmt::print("mean        {:.6f}\nstd         {:.6f}\n", fmt::join(checkpoint.mean, " "),
               fmt::join(checkpoint.std, " "));
  if (!checkpoint.fit.empty()) fmt::print("fit         {}\n", checkpoint.fit);
  fmt::print("validation  {} samples\n", checkpoint.calibration.scores.size());
  for (const FoundThreshold& threshold : checkpoint.thresholds)
    fmt::print("threshold   {}: {} < {}: {}\n", threshold.rule, threshold.score, fmt::join(threshold.values, " "),
               threshold.found);
  fmt::print("classes     {}\n", checkpoint.class_names.size());
  for (std::size_t i = 0; i < checkpoint.class_names.size(); ++i)
    fmt::print("{:7d}  {}\n", i, checkpoint.class_names[i]);
}

}  // namespace

void show_checkpoint(const std::filesystem::path& path, const bool as_json) {
  const Checkpoint checkpoint = read_checkpoint(path);
  as_json ? print_json(path, checkpoint) : print_lines(path, checkpoint);
}

}  // namespace bcr::io
