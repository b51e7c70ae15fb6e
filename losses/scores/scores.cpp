#include "kernels/gamma/inclusion_plan.hpp"
#include "losses/inclusion_median.hpp"
#include "losses/scores/row_score.hpp"
#include "losses/scores/score.hpp"
#include "src/core/instances.hpp"

#include <numbers>
#include <string>

namespace bcr::losses {

/// max_c softmax(z)_c over the known classes
struct MaxSoftmax {
  static constexpr ScoreNeeds needs{.softmax = true};
  KOKKOS_FUNCTION double operator()(const Row& row) const {
    return kernels::strict::exp(Kokkos::fma(row.scale, row.best - row.peak, -row.log_total));
  }
};

/// max_c softmax(z)_c ||f||
struct SoftmaxNorm {
  static constexpr ScoreNeeds needs{.softmax = true, .feature_norm = true};
  KOKKOS_FUNCTION double operator()(const Row& row) const { return MaxSoftmax{}(row)*row.feature_norm; }
};

/// -min_c D_c^2
struct MinDistance {
  static constexpr ScoreNeeds needs{};
  KOKKOS_FUNCTION double operator()(const Row& row) const { return -row.best; }
};

/// max_c z_c over the known classes
struct MaxLogit {
  static constexpr ScoreNeeds needs{};
  KOKKOS_FUNCTION double operator()(const Row& row) const { return row.best; }
};

/// log P_I of the nearest class: monotone in -min D^2 until it rounds to -0 deep inside a class.
struct LogInclusion {
  static constexpr ScoreNeeds needs{};
  kernels::InclusionCurve curve;
  KOKKOS_FUNCTION double operator()(const Row& row) const { return curve(row.best).log_q; }
};

/// T log sum_c exp(z_c / T), with row.scale already divided by T
struct FreeEnergy {
  static constexpr ScoreNeeds needs{.softmax = true, .known_classes_only = true};
  double temperature;
  KOKKOS_FUNCTION double operator()(const Row& row) const { return temperature * row.log_sum_exp(); }
};

/// log sum_c exp z_c - mean_c z_c
struct UniformCrossEntropy {
  static constexpr ScoreNeeds needs{.softmax = true, .mean_output = true, .known_classes_only = true};
  KOKKOS_FUNCTION double operator()(const Row& row) const { return row.uniform_cross_entropy(); }
};

/// Generalised entropy (Liu et al., CVPR 2023): -sum p^gamma (1 - p)^gamma over the `top` most probable classes. With
/// gamma = 0.1 what matters are probabilities near 0, hence logarithms: (1 - p)^0.1 is 0.16 where 1 - p is 1e-8.
struct GeneralisedEntropy {
  static constexpr ScoreNeeds needs{.softmax = true, .known_classes_only = true, .class_sum = true};
  static constexpr double gamma = 0.1;
  static constexpr int top = 100;
  KOKKOS_FUNCTION double term(const double log_p, const double log_rest) const {
    return kernels::strict::exp(gamma * (log_p + log_rest));
  }
  KOKKOS_FUNCTION double operator()(const double class_sum) const { return -class_sum; }
};

namespace {

using Fits = ScoreEntry::Fits;

LogInclusion log_inclusion(const ScoreShape& shape) {
  return {kernels::InclusionPlan(std::max(shape.features, 1)).curve()};
}

FreeEnergy free_energy(const ScoreShape& shape) {
  return {shape.temperature};
}

void check(const ScoreEntry& entry, const ScoreShape& shape) {
  const std::string operation = "score." + entry.name;
  const bool distances = entry.fits == Fits::distances;
  require<ConfigError>(entry.fits_outputs(shape.outputs), operation,
                       distances ? "a head that gives squared distances" : "a head that gives logits",
                       distances ? "a head that gives logits" : "a head that gives squared distances");
  require<ConfigError>(shape.classes > 0, operation, "at least one known class", std::to_string(shape.classes));
  require<ConfigError>(shape.features > 0, operation, "at least one feature", std::to_string(shape.features));
  require<ConfigError>(shape.logit_scale > 0, operation, "a logit scale > 0", std::to_string(shape.logit_scale));
  require<ConfigError>(shape.temperature > 0, operation, "a temperature > 0", std::to_string(shape.temperature));
}

}  // namespace

Registry<ScoreEntry>& all_scores() {
  static Registry<ScoreEntry> registry(
      "score",
      {{"max_softmax", Fits::both, "max_c softmax(z)_c", "largest softmax probability", {},
        row_score_of<plain<MaxSoftmax>>()},
       {"min_distance", Fits::distances, "-min_c D_c^2", "−D² to the nearest anchor",
        [](const ScoreShape& shape) { return -inclusion_median(shape.features); }, row_score_of<plain<MinDistance>>()},
       {"inclusion", Fits::distances, "log P_I of the nearest class", "log P_I",
        [](const ScoreShape&) { return -std::numbers::ln2; }, row_score_of<log_inclusion>()},
       {"max_logit", Fits::logits, "max_c z_c", "largest logit", {}, row_score_of<plain<MaxLogit>>()},
       {"energy", Fits::both, "T log sum_c exp(z_c / T)", "energy", {}, row_score_of<free_energy>()},
       {"gen", Fits::both, "-sum_c p_c^0.1 (1 - p_c)^0.1 over the 100 largest p = softmax(z)", "generalised entropy",
        {}, row_score_of<plain<GeneralisedEntropy>>()},
       {"uniform_cross_entropy", Fits::both, "log sum_c exp z_c - mean_c z_c", "cross-entropy to uniform", {},
        row_score_of<plain<UniformCrossEntropy>>()},
       {"softmax_norm", Fits::both, "max_c softmax(z)_c |f|", "largest softmax probability × |f|", {},
        row_score_of<plain<SoftmaxNorm>>()}});
  return registry;
}

template <class Exec, class T>
void Score<Exec, T>::evaluate(const Exec& exec, ConstMatrix<T, Exec> outputs, ConstMatrix<T, Exec> features,
                              Vector<double, Exec> scores, Labels<Exec> predictions) const {
  const std::size_t N = outputs.extent(0);
  if (outputs.extent(1) < std::size_t(shape_.classes)) {
    throw ShapeError("Score::evaluate", "outputs of at least " + std::to_string(shape_.classes) + " columns",
                     shape_text(bcr::shape(outputs)));
  }
  require_shape("Score::evaluate", "features", features, {N, std::size_t(shape_.features)});
  require_shape("Score::evaluate", "scores", scores, {N});
  require_shape("Score::evaluate", "predictions", predictions, {N});
  if (N > 0) launch(exec, outputs, features, scores, predictions);
}

template <class Exec, class T>
std::unique_ptr<Score<Exec, T>> make_score(const std::string_view name, const ScoreShape& shape) {
  const ScoreEntry& entry = all_scores().find(name);
  check(entry, shape);
  return entry.make.at<Exec, T>()(entry.name, shape);
}

#define BCR_INSTANCE(Exec, T)    \
  template class Score<Exec, T>; \
  template std::unique_ptr<Score<Exec, T>> make_score<Exec, T>(std::string_view, const ScoreShape&);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::losses
