#include "src/report/run/scores_file.hpp"

#include "io/hdf5/reader.hpp"
#include "src/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bcr::report {

namespace {

using io::Hdf5Reader;

[[noreturn]] void refuse(const Hdf5Reader& file, const std::string& object, const std::string& expected,
                         const std::string& received) {
  throw IoError(fmt::format("read {}:{}", file.name(), object), expected, received);
}

template <class T>
std::vector<T> read_if_there(const Hdf5Reader& file, const std::string& dataset) {
  return file.has(dataset) ? file.read<T>(dataset) : std::vector<T>();
}

Rows read_rows(const Hdf5Reader& file, const std::string& dataset) {
  if (!file.has(dataset)) return {};
  const io::Hdf5Shape shape = file.shape(dataset);
  if (shape.extents.size() != 2) {
    refuse(file, dataset, "two dimensions", std::to_string(shape.extents.size()));
  }
  return {shape.extents[1], file.read<float>(dataset)};
}

void require_length(const Hdf5Reader& file, const std::string& object, const std::size_t received,
                    const std::size_t expected) {
  if (received != expected) refuse(file, object, fmt::format("{} rows", expected), std::to_string(received));
}

void require_classes(const Hdf5Reader& file, const std::string& object, const std::vector<std::int32_t>& values,
                     const std::size_t classes) {
  for (const std::int32_t value : values) {
    if (value < 0 || static_cast<std::size_t>(value) >= classes) {
      refuse(file, object, fmt::format("classes 0 to {}", static_cast<long>(classes) - 1), std::to_string(value));
    }
  }
}

/// All scores of a group; one with a NaN is left out with a note, because nothing can be ranked by it.
std::map<std::string, std::vector<double>> read_score_lists(const Hdf5Reader& file, const std::string& group,
                                                            std::vector<std::string>& notes) {
  std::map<std::string, std::vector<double>> lists;
  if (!file.has(group)) return lists;
  for (const std::string& name : file.members(group)) {
    std::vector<double> values = file.read<double>(group + "/" + name);
    if (std::any_of(values.begin(), values.end(), [](const double value) { return std::isnan(value); })) {
      notes.push_back(fmt::format("The score {} holds values that are not numbers in {} and is left out.", name, group));
    } else {
      lists.emplace(name, std::move(values));
    }
  }
  return lists;
}

ScoredSet read_set(const Hdf5Reader& file, const std::string& group, const std::string& name,
                   std::vector<std::string>& notes) {
  ScoredSet set;
  set.name = name;
  set.labels = read_if_there<std::int32_t>(file, group + "/label");
  set.predictions = read_if_there<std::int32_t>(file, group + "/prediction");
  set.scores = read_score_lists(file, group + "/score", notes);
  set.features = read_rows(file, group + "/feature");
  if (!set.labels.empty()) require_length(file, group + "/label", set.labels.size(), set.size());
  for (const auto& [score, values] : set.scores) {
    require_length(file, group + "/score/" + score, values.size(), set.size());
  }
  if (set.features.width != 0) require_length(file, group + "/feature", set.features.count(), set.size());
  return set;
}

ExampleImages read_example(const Hdf5Reader& file, const std::string& name) {
  const std::string group = "/examples/" + name;
  ExampleImages example;
  example.name = name;
  // Either a group with the pictures as "image" beside their index, or the pictures themselves.
  const bool inside = file.has(group + "/image");
  const std::string pictures = inside ? group + "/image" : group + "/images";
  if (!file.has(pictures)) return example;
  const io::Hdf5Shape shape = file.shape(pictures);
  if (shape.extents.size() != 4 || (shape.extents[3] != 1 && shape.extents[3] != 3)) {
    refuse(file, pictures, "[K, H, W, 1 or 3]", fmt::format("{} dimensions", shape.extents.size()));
  }
  example.count = shape.extents[0];
  example.height = shape.extents[1];
  example.width = shape.extents[2];
  example.channels = shape.extents[3];
  example.pixels = file.read<std::uint8_t>(pictures);
  example.labels = read_if_there<std::int32_t>(file, group + "/label");
  example.predictions = read_if_there<std::int32_t>(file, group + "/prediction");
  example.scores = read_if_there<double>(file, group + "/score");
  for (const std::size_t length : {example.labels.size(), example.predictions.size(), example.scores.size()}) {
    if (length != 0) require_length(file, group, length, example.count);
  }
  return example;
}

void read_examples(const Hdf5Reader& file, RunScores& scores) {
  if (!file.has("/examples")) return;
  for (const char* const name : {"best_known", "worst_known", "best_unknown", "worst_unknown"}) {
    if (!file.has(std::string("/examples/") + name)) continue;
    ExampleImages example = read_example(file, name);
    if (example.count != 0) scores.examples.push_back(std::move(example));
  }
}

void check_classes(const Hdf5Reader& file, RunScores& scores) {
  require_classes(file, "/known/label", scores.known.labels, scores.classes());
  require_classes(file, "/known/prediction", scores.known.predictions, scores.classes());
  for (const ScoredSet& set : scores.unknown) {
    require_classes(file, "/unknown/" + set.name + "/prediction", set.predictions, scores.classes());
  }
  if (scores.anchors.width != 0 && scores.known.features.width != 0 &&
      scores.anchors.width != scores.known.features.width) {
    refuse(file, "/anchors", fmt::format("{} columns", scores.known.features.width),
           std::to_string(scores.anchors.width));
  }
}

}  // namespace

RunScores read_scores(const std::filesystem::path& path) {
  const Hdf5Reader file(path);
  RunScores scores;
  if (file.has_attribute("/", "score")) scores.default_score = file.text_attribute("/", "score");
  if (file.has("/class_names")) scores.class_names = file.read_strings("/class_names");
  if (file.has("/known")) scores.known = read_set(file, "/known", "known", scores.notes);
  if (file.has("/unknown")) {
    for (const std::string& name : file.members("/unknown")) {
      scores.unknown.push_back(read_set(file, "/unknown/" + name, name, scores.notes));
    }
  }
  scores.anchors = read_rows(file, "/anchors");
  scores.train_scores = read_score_lists(file, "/train_known/score", scores.notes);
  read_examples(file, scores);
  check_classes(file, scores);
  return scores;
}

}  // namespace bcr::report
