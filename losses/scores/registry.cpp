#include "kernels/gamma/inclusion_plan.hpp"
#include "losses/scores/row_score.hpp"
#include "losses/scores/score.hpp"
#include "losses/scores/score_formulas.hpp"
#include "src/core/instances.hpp"

#include <array>
#include <string>

namespace bcr::losses {
namespace {

using Fits = ScoreInfo::Fits;

constexpr std::array table{
    ScoreInfo{"max_softmax", Fits::both, "max_c softmax(z)_c"},
    ScoreInfo{"min_distance", Fits::distances, "-min_c D_c^2"},
    ScoreInfo{"inclusion", Fits::distances, "log P_I of the nearest class"},
    ScoreInfo{"energy", Fits::both, "T log sum_c exp(z_c / T)"},
    ScoreInfo{"uniform_cross_entropy", Fits::both, "log sum_c exp z_c - mean_c z_c"},
    ScoreInfo{"softmax_norm", Fits::both, "max_c softmax(z)_c |f|"},
};

template <class Exec, class T, class Formula>
std::unique_ptr<Score<Exec, T>> make(const std::string_view name, const ScoreShape& shape, const Formula& formula,
                                     const double temperature = 1) {
  return std::make_unique<RowScore<Exec, T, Formula>>(name, shape, formula, temperature);
}

void check(const ScoreInfo& info, const ScoreShape& shape) {
  const std::string operation = "score." + std::string(info.name);
  require<ConfigError>(info.fits == Fits::both || shape.outputs == HeadOutputs::squared_distances, operation,
                       "a head that gives squared distances", "a head that gives logits");
  require<ConfigError>(shape.classes > 0, operation, "at least one known class", std::to_string(shape.classes));
  require<ConfigError>(shape.features > 0, operation, "at least one feature", std::to_string(shape.features));
  require<ConfigError>(shape.logit_scale > 0, operation, "a logit scale > 0", std::to_string(shape.logit_scale));
  require<ConfigError>(shape.temperature > 0, operation, "a temperature > 0", std::to_string(shape.temperature));
}

}  // namespace

std::span<const ScoreInfo> all_scores() {
  return table;
}

const ScoreInfo& find_score(const std::string_view name) {
  std::string names;
  for (const ScoreInfo& info : table) {
    if (info.name == name) return info;
    names += (names.empty() ? "" : ", ") + std::string(info.name);
  }
  throw ConfigError("find_score", "one of " + names, name);
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
  const ScoreInfo& info = find_score(name);
  check(info, shape);
  if (info.name == "max_softmax") return make<Exec, T>(info.name, shape, MaxSoftmax{});
  if (info.name == "min_distance") return make<Exec, T>(info.name, shape, MinDistance{});
  if (info.name == "inclusion")
    return make<Exec, T>(info.name, shape, LogInclusion{kernels::InclusionPlan(shape.features).curve()});
  if (info.name == "energy") return make<Exec, T>(info.name, shape, FreeEnergy{shape.temperature}, shape.temperature);
  if (info.name == "uniform_cross_entropy") return make<Exec, T>(info.name, shape, UniformCrossEntropy{});
  return make<Exec, T>(info.name, shape, SoftmaxNorm{});
}

#define BCR_INSTANCE(Exec, T)    \
  template class Score<Exec, T>; \
  template std::unique_ptr<Score<Exec, T>> make_score<Exec, T>(std::string_view, const ScoreShape&);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::losses
