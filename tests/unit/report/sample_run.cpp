#include "tests/unit/report/sample_run.hpp"

#include "io/hdf5/writer.hpp"
#include "src/metrics/accuracy.hpp"
#include "src/metrics/registry.hpp"
#include "src/metrics/threshold.hpp"
#include "src/report/figures/run_figures.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numeric>
#include <random>
#include <vector>

namespace bcr::test {

namespace {

using Json = nlohmann::ordered_json;

/// Normal numbers that are the same with every standard library.
class Normal {
 public:
  explicit Normal(const std::uint64_t seed) : generator_(seed) {}
  double operator()() {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += uniform();
    return sum;
  }
  double uniform() { return static_cast<double>(generator_() >> 11) * 0x1p-53; }
  int below(const int count) { return static_cast<int>(uniform() * count); }

 private:
  std::mt19937_64 generator_;
};

struct TestSet {
  std::vector<std::int32_t> labels;
  std::vector<std::int32_t> predictions;
  std::vector<double> scores;
  std::vector<float> features;
  std::vector<float> outputs;
};

double squared_distance(const float* a, const float* b, const int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += std::pow(double(a[i]) - b[i], 2);
  return sum;
}

/// Images of class c lie around its anchor, with the share `away` of the way to a point between all of them.
TestSet make_set(const SampleRun& sample, const std::vector<float>& anchors, const double away, Normal& normal) {
  TestSet set;
  const int n = sample.features;
  for (int i = 0; i < sample.images; ++i) {
    const int c = normal.below(sample.classes);
    const double shift = std::clamp(away + 0.12 * normal(), 0.0, 1.2);
    std::vector<float> feature(n);
    for (int k = 0; k < n; ++k) feature[k] = float((1 - shift) * anchors[c * n + k] + 0.82 * normal());
    double nearest = 1e300;
    int prediction = 0;
    for (int j = 0; j < sample.classes; ++j) {
      const double distance = squared_distance(feature.data(), anchors.data() + j * n, n);
      set.outputs.push_back(float(distance));
      if (distance >= nearest) continue;
      nearest = distance;
      prediction = j;
    }
    if (normal.uniform() < 0.04) prediction = normal.below(sample.classes);
    set.labels.push_back(c);
    set.predictions.push_back(prediction);
    set.scores.push_back(sample.head == SampleHead::distance ? -nearest : 1 / (1 + 0.01 * nearest));
    set.features.insert(set.features.end(), feature.begin(), feature.end());
  }
  return set;
}

std::string score_name(const SampleRun& sample) {
  return sample.head == SampleHead::distance ? "min_distance" : "max_softmax";
}

void write_set(io::Hdf5Writer& file, const std::string& group, const TestSet& set, const SampleRun& sample) {
  const auto count = set.labels.size();
  file.write<const std::int32_t>(group + "/label", {count}, set.labels);
  file.write<const std::int32_t>(group + "/prediction", {count}, set.predictions);
  file.write<const double>(group + "/score/" + score_name(sample), {count}, set.scores);
  file.write<const float>(group + "/feature", {count, std::size_t(sample.features)}, set.features);
  file.write<const float>(group + "/output", {count, std::size_t(sample.classes)}, set.outputs);
}

/// A coloured disc on a ramp: something to look at.
std::vector<std::uint8_t> paint(const int label, Normal& normal) {
  constexpr int side = 28;
  std::vector<std::uint8_t> pixels;
  const double x0 = 9 + 10 * normal.uniform();
  const double y0 = 9 + 10 * normal.uniform();
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      const bool inside = std::hypot(x - x0, y - y0) < 5 + label % 4;
      for (int c = 0; c < 3; ++c) {
        const int colour = inside ? 90 + 55 * ((label + c) % 4) : 30 + 3 * y + 20 * c;
        pixels.push_back(std::uint8_t(std::clamp(colour + int(8 * normal()), 0, 255)));
      }
    }
  }
  return pixels;
}

void write_examples(io::Hdf5Writer& file, const std::string& name, const TestSet& set,
                    const std::vector<std::size_t>& chosen, Normal& normal) {
  std::vector<std::uint8_t> images;
  std::vector<std::int64_t> index;
  std::vector<std::int32_t> labels;
  std::vector<std::int32_t> predictions;
  std::vector<double> scores;
  for (const std::size_t i : chosen) {
    const auto pixels = paint(set.labels[i], normal);
    images.insert(images.end(), pixels.begin(), pixels.end());
    index.push_back(std::int64_t(i));
    labels.push_back(set.labels[i]);
    predictions.push_back(set.predictions[i]);
    scores.push_back(set.scores[i]);
  }
  const std::string group = "/examples/" + name;
  file.write<const std::uint8_t>(group + "/image", {chosen.size(), 28, 28, 3}, images);
  file.write<const std::int64_t>(group + "/index", {chosen.size()}, index);
  file.write<const std::int32_t>(group + "/label", {chosen.size()}, labels);
  file.write<const std::int32_t>(group + "/prediction", {chosen.size()}, predictions);
  file.write<const double>(group + "/score", {chosen.size()}, scores);
}

std::vector<std::size_t> by_score(const TestSet& set, const bool lowest_first) {
  std::vector<std::size_t> order(set.scores.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](const std::size_t a, const std::size_t b) {
    return lowest_first ? set.scores[a] < set.scores[b] : set.scores[a] > set.scores[b];
  });
  order.resize(std::min<std::size_t>(order.size(), 10));
  return order;
}

Json numbers(const metrics::Evaluation& evaluation) {
  Json json;
  for (const auto& [metric, value] : metrics::evaluate_all_metrics(evaluation)) {
    json[std::string(metric->name)] = value ? Json(*value) : Json(nullptr);
  }
  return json;
}

void write_metrics(const std::filesystem::path& path, const SampleRun& sample, const TestSet& known, const TestSet& train,
                   const std::vector<std::pair<std::string, TestSet>>& unknown) {
  const std::string score = score_name(sample);
  std::map<std::string, double> thresholds{{"recall", metrics::known_recall_threshold(std::span<const double>(train.scores))}};
  if (sample.head == SampleHead::distance) thresholds["inclusion"] = -(sample.features - 2.0 / 3);
  Json json{{"format", "bcr metrics"}, {"version", 1}, {"default_score", score}};
  json["accuracy"] = metrics::accuracy(known.predictions, known.labels);
  Json average = Json::object();
  for (const auto& [name, set] : unknown) {
    const metrics::OpenSetSamples<double> samples{sample.classes,  known.scores, known.predictions,
                                                  known.labels,    set.scores,   set.predictions};
    metrics::Evaluation evaluation = metrics::evaluate<double>(samples, {});
    for (const auto& [rule, threshold] : thresholds)
      evaluation.decisions.emplace(rule, metrics::open_set_confusion(samples, threshold));
    json["sets"][name][score] = numbers(evaluation);
    for (const auto& [metric, value] : json["sets"][name][score].items()) {
      if (value.is_number()) average[metric] = average.value(metric, 0.0) + value.get<double>() / double(unknown.size());
    }
  }
  json["average"][score] = average;
  for (const auto& [rule, threshold] : thresholds) json["decisions"][score][rule] = {{"threshold", threshold}};
  json["reference"] = {{"feature", 3.1e-6}, {"distance", 4.4e-5}, {"log_inclusion", 2.2e-5}, {"score", 4.4e-5}};
  std::ofstream(path) << json.dump(2) << '\n';
}

std::vector<std::string> class_names(const int count) {
  const std::vector<std::string> names{"airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse"};
  std::vector<std::string> chosen;
  for (int c = 0; c < count; ++c) chosen.push_back(c < 8 && count <= 8 ? names[c] : fmt::format("class {}", c));
  return chosen;
}

void write_scores(const std::filesystem::path& directory, const SampleRun& sample) {
  Normal normal(sample.seed);
  std::vector<float> anchors;
  for (int i = 0; i < sample.classes * sample.features; ++i) anchors.push_back(float(1.3 * normal()));
  const TestSet known = make_set(sample, anchors, 0.06, normal);
  const TestSet train = make_set(sample, anchors, 0.05, normal);
  const std::vector<std::pair<std::string, TestSet>> unknown{
      {"cifar10", make_set(sample, anchors, 0.06 + 0.5 * sample.quality, normal)},
      {"svhn", make_set(sample, anchors, 0.06 + 0.7 * sample.quality, normal)}};

  io::Hdf5Writer file(directory / "scores.h5");
  file.set_attribute("/", "score", score_name(sample));
  file.set_attribute("/", "classes", std::int64_t{sample.classes});
  file.write_strings("/class_names", class_names(sample.classes));
  write_set(file, "/known", known, sample);
  for (const auto& [name, set] : unknown) write_set(file, "/unknown/" + name, set, sample);
  file.write<const double>("/train_known/score/" + score_name(sample), {train.scores.size()}, train.scores);
  if (sample.head == SampleHead::distance) {
    file.write<const float>("/anchors", {std::size_t(sample.classes), std::size_t(sample.features)}, anchors);
  }
  write_examples(file, "best_known", known, by_score(known, false), normal);
  write_examples(file, "worst_known", known, by_score(known, true), normal);
  write_examples(file, "best_unknown", unknown[0].second, by_score(unknown[0].second, true), normal);
  write_examples(file, "worst_unknown", unknown[0].second, by_score(unknown[0].second, false), normal);
  file.commit();
  write_metrics(directory / "metrics.json", sample, known, train, unknown);
}

Json loss_at(const double epoch, const double noise) {
  const double fall = std::exp(-epoch / 4);
  return {{"total", 1.1 + 34 * fall * fall + noise},
          {"classification", 0.12 + 23 * fall * fall + 0.5 * noise},
          {"background_known", 0.21 + 1.3 * fall + 0.1 * noise},
          {"background_unknown", 0.07 + 0.9 * fall + 0.1 * noise},
          {"accuracy", std::min(1.0, 0.96 - 0.7 * fall - 0.02 * noise)},
          {"known_nearest", 0.7 + 0.5 * fall},
          {"background_nearest", 1.4 - 0.25 * fall},
          {"inclusion_rate", 0.04 + 0.5 * fall}};
}

void write_log(const std::filesystem::path& path, const SampleRun& sample) {
  constexpr int steps_per_epoch = 94;
  Normal normal(sample.seed + 100);
  std::ofstream log(path);
  for (int epoch = 1; epoch <= sample.epochs; ++epoch) {
    for (int step = (epoch - 1) * steps_per_epoch + 10; step <= epoch * steps_per_epoch; step += 10) {
      const double at = double(step) / steps_per_epoch;
      const double lr = 0.05 * (1 + std::cos(3.14159 * at / sample.epochs)) * std::min(1.0, at / 2);
      Json line{{"kind", "step"}, {"step", step}, {"epoch", at}, {"lr", lr}, {"lambda", 5},
                {"loss", loss_at(at, 0.3 * std::abs(normal()))}, {"images_per_second", 800 + 15 * normal()}};
      if (sample.head == SampleHead::distance) line["anchors"] = {{"norm", 10.2}, {"separation", 12.5}};
      log << line.dump() << '\n';
    }
    const int step = epoch * steps_per_epoch;
    log << Json{{"kind", "epoch"}, {"epoch", epoch}, {"step", step}, {"seconds", 29.1}, {"images_per_second", 806.2},
                {"share_of_peak", 0.41}, {"loss", loss_at(epoch, 0.1)}}
               .dump()
        << '\n';
    const double fall = std::exp(-epoch / 3.0);
    log << Json{{"kind", "eval"}, {"epoch", epoch}, {"step", step}, {"accuracy", 0.93 - 0.4 * fall},
                {"auroc", 0.9 - 0.35 * fall + 0.005 * normal()}, {"ccr_fpr_1e-1", 0.75 - 0.5 * fall},
                {"oscr_area", 0.8 - 0.4 * fall}, {"score", score_name(sample)}}
               .dump()
        << '\n';
  }
  log << Json{{"kind", "end"}, {"step", sample.epochs * steps_per_epoch}, {"reason", "done"}}.dump() << '\n';
}

}  // namespace

void write_sample_run(const std::filesystem::path& directory, const SampleRun& sample) {
  std::filesystem::create_directories(directory);
  std::ofstream(directory / "config.resolved.toml")
      << fmt::format("seed = {}\nmode = \"strict\"\n\n[data]\nsplit = \"splits/{}-0.toml\"\n\n[model]\nname = \"wrn\"\n"
                     "depth = 40\nwidth = 2\n\n[model.head]\nname = \"{}\"\n\n[loss]\nname = \"{}\"\nlambda = 5.0\n\n"
                     "[train]\nepochs = {}\nlr = 0.1\n",
                     sample.seed, sample.split, sample.head == SampleHead::distance ? "distance" : "linear", sample.loss,
                     sample.epochs);
  std::ofstream(directory / "manifest.json") << Json{{"version", "0.1.0"},
                                                     {"seed", sample.seed},
                                                     {"machine", {{"cpu", "a <processor> & more"}, {"cores", 2}}},
                                                     {"sha256", {{"final_weights", std::string(64, 'a')}}}}
                                                        .dump(2);
  write_log(directory / "train.jsonl", sample);
  write_scores(directory, sample);
}

}  // namespace bcr::test
