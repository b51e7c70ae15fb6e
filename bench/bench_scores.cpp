// The fitted scores on made-up features, for scripts/compare-peers: fits and scores, prints the times as JSON, and
// keeps inputs and results as raw arrays for the peers; or the isolation forest on rows that a peer made.
//
// usage: bench_scores scores DIR N_TRAIN N_TEST FEATURES CLASSES [--kokkos-num-threads=T]
//        bench_scores forest DIR      rows.f32, queries.f32, shape.txt (d, trees, samples, seeds) -> paths.f64

#include "src/core/random.hpp"
#include "src/scores/fitted_score.hpp"
#include "src/scores/isolation_forest.hpp"

#include <Kokkos_Core.hpp>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

namespace {

using namespace bcr;
namespace fs = std::filesystem;

template <class T>
void write(const fs::path& path, const std::vector<T>& values) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(values.size() * sizeof(T)));
}

std::vector<float> read(const fs::path& path) {
  std::vector<float> values(fs::file_size(path) / sizeof(float));
  std::ifstream(path, std::ios::binary)
      .read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(values.size() * sizeof(float)));
  return values;
}

/// About normal: the sum of four uniform numbers.
float normal(Random& random) {
  float sum = -2;
  for (int i = 0; i < 4; ++i) sum += random.uniform<float>();
  return 1.7320508f * sum;
}

struct Samples {
  std::vector<float> features, outputs;
  std::vector<std::int32_t> labels;
};

/// Clouds around class centres, cut off at 0 as after a relu; half of the test samples have a centre of their own.
Samples make_samples(const scores::HeadModel& head, const std::size_t count, const std::uint32_t epoch) {
  const std::size_t n = head.features, C = head.classes;
  Samples samples{std::vector<float>(count * n), std::vector<float>(count * C), std::vector<std::int32_t>(count)};
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t centre = epoch == 1 && i % 2 == 1 ? C + i % 7 : i % C;
    samples.labels[i] = static_cast<std::int32_t>(i % C);
    Random noise(1, Stream("bench/scores"), epoch, i);
    for (std::size_t j = 0; j < n; ++j) {
      Random place(1, Stream("bench/centre"), 0, centre * n + j);
      samples.features[i * n + j] = std::max(0.0f, 0.7f * normal(place) + 0.5f * normal(noise) + 0.2f);
    }
    for (std::size_t c = 0; c < C; ++c) {
      double sum = double(head.bias[c]);
      for (std::size_t j = 0; j < n; ++j) sum += double(head.weights[c * n + j]) * double(samples.features[i * n + j]);
      samples.outputs[i * C + c] = static_cast<float>(sum);
    }
  }
  return samples;
}

void run_scores(const fs::path& out, const std::size_t train, const std::size_t test, const std::size_t n,
                const std::size_t C) {
  scores::HeadModel head{scores::HeadOutputs::logits, C, n, 1, std::vector<float>(C * n), std::vector<float>(C)};
  for (std::size_t i = 0; i < C * n; ++i) {
    Random place(1, Stream("bench/centre"), 0, i);
    head.weights[i] = 0.2f * normal(place);
  }
  for (std::size_t c = 0; c < C; ++c) head.bias[c] = 0.1f * float(c);
  const Samples known = make_samples(head, train, 0), query = make_samples(head, test, 1);
  write(out / "weights.f32", head.weights);
  write(out / "bias.f32", head.bias);
  write(out / "train_features.f32", known.features);
  write(out / "train_outputs.f32", known.outputs);
  write(out / "train_labels.i32", known.labels);
  write(out / "test_features.f32", query.features);
  write(out / "test_outputs.f32", query.outputs);
  const scores::SampleRows rows{
      train, n, C, known.features, known.outputs, known.labels, scores::SampleRows::Origin::training};
  const scores::SampleRows queries{
      test, n, C, query.features, query.outputs, query.labels, scores::SampleRows::Origin::other};
  std::string json;
  for (const scores::FittedScoreEntry& entry : scores::all_fitted_scores().entries()) {
    if (entry.name == "aosr") continue;  // its training has no peer
    if (!entry.has_what_it_needs({})) continue;
    const auto score = scores::make_fitted_score(entry.name, head, {});
    const Kokkos::Timer fitting;
    scores::fit(*score, rows);
    const double fit_seconds = fitting.seconds();
    std::vector<double> values(test);
    const Kokkos::Timer scoring;
    score->score(queries, values);
    const double score_seconds = scoring.seconds();
    write(out / (entry.name + ".f64"), values);
    json += (json.empty() ? "" : ", ") + ("\"" + entry.name + "\": {\"fit\": " + std::to_string(fit_seconds) +
                                          ", \"score\": " + std::to_string(score_seconds) + "}");
  }
  std::printf("{%s}\n", json.c_str());
}

void run_forest(const fs::path& folder) {
  std::size_t d = 0;
  std::uint64_t seeds = 0;
  scores::IsolationForestSettings settings;
  std::ifstream(folder / "shape.txt") >> d >> settings.trees >> settings.samples >> seeds;
  const std::vector<float> rows = read(folder / "rows.f32"), queries = read(folder / "queries.f32");
  std::vector<double> lengths;
  for (; settings.seed < seeds; ++settings.seed) {
    const scores::IsolationForest forest(rows, d, settings);
    for (std::size_t i = 0; i < queries.size(); i += d) lengths.push_back(forest.mean_path_length(queries.data() + i));
  }
  write(folder / "paths.f64", lengths);
}

}  // namespace

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() >= 6 && words[0] == "scores") {
    run_scores(words[1], std::stoul(words[2]), std::stoul(words[3]), std::stoul(words[4]), std::stoul(words[5]));
    return 0;
  }
  if (words.size() >= 2 && words[0] == "forest") {
    run_forest(words[1]);
    return 0;
  }
  std::fprintf(stderr, "usage: bench_scores scores DIR N_TRAIN N_TEST FEATURES CLASSES | forest DIR\n");
  return 2;
}
