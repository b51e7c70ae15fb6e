#include "src/core/instances.hpp"
#include "src/identity/inputs.hpp"
#include "src/identity/subject.hpp"
#include "src/scores/dense.hpp"
#include "src/scores/fitted_score.hpp"
#include "src/scores/isolation_forest.hpp"

#include "src/core/sha256.hpp"

#include <array>

// Scores that are fitted run on the host's threads, but for the distances of knn: most digests are the same function
// for every execution space.

namespace bcr::identity {
namespace {

constexpr std::size_t train = 301, test = 67, features = 37, classes = 5, latents = 7;

template <class T>
std::string digest_of_values(const std::vector<T>& values) {
  Sha256 hash;
  hash.update(std::as_bytes(std::span(values)));
  return to_hex(hash.digest());
}

std::vector<float> host_input(const std::string_view name, const std::size_t size, const float low, const float high) {
  std::vector<float> values(size);
  for (std::size_t i = 0; i < size; ++i) {
    Random random(20220417, Stream(name), 0, i);
    values[i] = uniform_between<float>(random, low, high);
  }
  return values;
}

/// Features near 2 e_label, at least 0, and logits that mostly find the label.
struct FittedInput {
  std::vector<float> feature, output, latent, moved;
  std::vector<double> error, class_error;
  std::vector<std::int32_t> label;

  FittedInput(const std::string& name, const std::size_t count)
      : feature(host_input("identity/" + name + "/feature", count * features, -0.5f, 1.0f)),
        output(host_input("identity/" + name + "/output", count * classes, -3.0f, 4.0f)),
        latent(host_input("identity/" + name + "/latent", count * latents, 0.0f, 2.0f)),
        moved(host_input("identity/" + name + "/moved", count * classes, -3.0f, 4.0f)),
        label(count) {
    for (const float r : host_input("identity/" + name + "/error", count, 5.0f, 10.0f)) error.push_back(double(r));
    for (const float r : host_input("identity/" + name + "/class_error", count * classes, 0.5f, 1.0f))
      class_error.push_back(double(r));
    for (std::size_t i = 0; i < count; ++i) {
      label[i] = static_cast<std::int32_t>(i % classes);
      feature[i * features + i % classes] += 2;
      output[i * classes + i % classes] += 5;
      for (std::size_t j = 0; j < features; ++j) feature[i * features + j] = std::max(feature[i * features + j], 0.0f);
    }
  }
  scores::SampleRows rows(const scores::SampleRows::Origin origin) const {
    return {label.size(), features, classes, feature, output, label, origin, latents, latent, moved, error, class_error};
  }
};

std::string fitted_digest(const std::string_view name) {
  scores::HeadModel head{scores::HeadOutputs::logits,
                         classes,
                         features,
                         1,
                         host_input("identity/fitted/weights", classes * features, -0.5f, 0.5f),
                         host_input("identity/fitted/bias", classes, 0.0f, 1.0f),
                         latents,
                         {.latent = true, .moved_outputs = true, .gaussian = true, .conditioned = true}};
  scores::FittedScoreOptions options;
  options.aosr.epochs = 2;
  options.aosr.trees = 7;
  options.crosr.latent_scale = scores::LatentScale::deviation;
  const FittedInput known("fitted/train", train), query("fitted/test", test);
  const auto score = scores::make_fitted_score(name, head, options);
  scores::fit(*score, known.rows(scores::SampleRows::Origin::training));
  std::vector<double> values(test);
  score->score(query.rows(scores::SampleRows::Origin::other), values);
  return digest_of_values(values);
}

template <class Exec>
std::string eigenpairs_digest(const Exec&) {
  constexpr std::size_t n = 131;
  const std::vector<float> half = host_input("identity/symmetric", n * n, -1.0f, 1.0f);
  std::vector<double> matrix(n * n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) matrix[i * n + j] = double(half[std::min(i, j) * n + std::max(i, j)]);
  scores::Eigenpairs pairs = scores::symmetric_eigenpairs(matrix, n);
  pairs.values.insert(pairs.values.end(), pairs.vectors.begin(), pairs.vectors.end());
  return digest_of_values(pairs.values);
}

template <class Exec>
std::string gram_digest(const Exec&) {
  constexpr std::size_t n = 101, count = 150;
  const std::vector<float> rows = host_input("identity/gram", count * n, -1.0f, 1.0f);
  std::vector<double> gram(n * n, 0.0);
  scores::add_gram(std::vector<double>(rows.begin(), rows.end()), n, gram);
  return digest_of_values(gram);
}

template <class Exec>
std::string forest_digest(const Exec&) {
  constexpr std::size_t d = 5, count = 301;
  const std::vector<float> rows = host_input("identity/forest", count * d, -1.0f, 1.0f);
  const scores::IsolationForest forest(rows, d, {.trees = 11});
  std::vector<double> lengths;
  for (std::size_t i = 0; i < count; ++i) lengths.push_back(forest.anomaly(rows.data() + i * d));
  return digest_of_values(lengths);
}

constexpr std::array fitted_names{"openmax", "knn",  "mahalanobis", "relative_mahalanobis",
                                  "vim",     "fdbd", "react",       "aosr",
                                  "crosr",   "odin", "cgdl",        "c2ae"};

/// Subjects are plain functions: the score is chosen at compile time.
template <class Exec, std::size_t index>
std::string score_digest(const Exec&) {
  return fitted_digest(fitted_names[index]);
}

template <class Exec, std::size_t... index>
void add_fitted(std::vector<Subject<Exec>>& subjects, std::index_sequence<index...>) {
  (subjects.push_back({std::string("fitted.") + fitted_names[index] + ".float64", score_digest<Exec, index>}), ...);
}

}  // namespace

template <class Exec>
void add_fitted_score_subjects(std::vector<Subject<Exec>>& subjects) {
  subjects.push_back({"dense.eigenpairs.float64", eigenpairs_digest<Exec>});
  subjects.push_back({"dense.gram.float64", gram_digest<Exec>});
  subjects.push_back({"fitted.isolation_forest.float64", forest_digest<Exec>});
  add_fitted(subjects, std::make_index_sequence<fitted_names.size()>());
}

#define BCR_INSTANCE(Exec) template void add_fitted_score_subjects<Exec>(std::vector<Subject<Exec>>&);
BCR_FOR_EACH_EXEC(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::identity
