#include "src/scores/fitted_score.hpp"

#include "src/core/error.hpp"
#include "src/scores/fitted_scores.hpp"

namespace bcr::scores {
namespace {

using Fits = FittedScoreEntry::Fits;

std::string extents_text(const std::vector<std::size_t>& extents) {
  std::string text;
  for (const std::size_t extent : extents)
    text += (text.empty() ? "" : ", ") + (extent == FittedState::any ? std::string("any") : std::to_string(extent));
  return "[" + text + "]";
}

}  // namespace

void SampleRows::check() const {
  const auto agree = [&](const char* const what, const std::size_t expected, const std::size_t received) {
    if (expected != received)
      throw ShapeError("SampleRows", std::to_string(expected) + " " + what, std::to_string(received));
  };
  if (!feature.empty()) agree("features", count * features, feature.size());
  agree("outputs", count * columns, output.size());
  agree("latent entries", count * latents, latent.size());
  if (!moved_output.empty()) agree("outputs of moved images", count * columns, moved_output.size());
  if (!error.empty()) agree("errors", count, error.size());
  if (!class_error.empty() && (count == 0 || class_error.size() % count != 0))
    throw ShapeError("SampleRows", "errors for each class of " + std::to_string(count) + " samples",
                     std::to_string(class_error.size()));
  if (origin == Origin::training) agree("labels", count, label.size());
}

std::int32_t HeadModel::best_class(const float* const outputs_row) const {
  std::size_t best = 0;
  for (std::size_t c = 1; c < classes; ++c) {
    const bool better =
        outputs == HeadOutputs::logits ? outputs_row[c] > outputs_row[best] : outputs_row[c] < outputs_row[best];
    if (better) best = c;
  }
  return static_cast<std::int32_t>(best);
}

const FittedArray& FittedState::find(const std::string_view name, const std::vector<std::size_t>& extents) const {
  for (const FittedArray& array : arrays_) {
    if (array.name != name) continue;
    bool fits = array.extents.size() == extents.size();
    for (std::size_t i = 0; fits && i < extents.size(); ++i) fits = extents[i] == any || extents[i] == array.extents[i];
    if (!fits)
      throw IoError("fitted array " + array.name, "extents " + extents_text(extents), extents_text(array.extents));
    return array;
  }
  throw IoError("fitted array " + std::string(name), "extents " + extents_text(extents), "none of that name");
}

const std::vector<double>& FittedState::doubles(const std::string_view name,
                                                const std::vector<std::size_t>& extents) const {
  const auto* const values = std::get_if<std::vector<double>>(&find(name, extents).values);
  require<IoError>(values != nullptr, "fitted array " + std::string(name), "numbers in double", "float");
  return *values;
}

const std::vector<float>& FittedState::floats(const std::string_view name,
                                              const std::vector<std::size_t>& extents) const {
  const auto* const values = std::get_if<std::vector<float>>(&find(name, extents).values);
  require<IoError>(values != nullptr, "fitted array " + std::string(name), "numbers in float", "double");
  return *values;
}

void FittedScore::decide(const SampleRows&, std::span<std::int32_t>) const {
  throw ConfigError("FittedScore::decide", "a score with a rule of its own", "one without");
}

Registry<FittedScoreEntry>& all_fitted_scores() {
  static Registry<FittedScoreEntry> registry(
      "fitted score",
      {{"openmax", Fits::logits, "1 - P(unknown) of Openmax", "Openmax, 1 − P(unknown)", 1000, make_openmax},
       {"crosr", Fits::logits, "1 - P(unknown) of Openmax on logits and latent vector",
        "CROSR, 1 − P(unknown)", 0, make_crosr, FittedScoreEntry::Needs::latent},
       {"knn", Fits::both, "-|f' - f'_(k)|^2, f' = f / |f|, to the k-th nearest training sample", "k-th neighbour", 0,
        make_knn},
       {"mahalanobis", Fits::both, "-min_c (f - mu_c)^T S^-1 (f - mu_c)", "Mahalanobis distance", 0, make_mahalanobis},
       {"relative_mahalanobis", Fits::both, "-min_c [(f - mu_c)^T S^-1 (f - mu_c) - (f - mu_0)^T S_0^-1 (f - mu_0)]",
        "relative Mahalanobis distance", 0, make_relative_mahalanobis},
       {"vim", Fits::logits, "log sum_c exp z_c - alpha |R^T (f - o)|", "virtual-logit matching", 0, make_vim},
       {"fdbd", Fits::both, "sum_c (z_best - z_c) / |w_best - w_c| / |f - mean f|", "distance to decision boundaries",
        0, make_fdbd},
       {"react", Fits::both, "log sum_c exp z_c of the features min(f, t)", "energy of clipped features", 0,
        make_react},
       {"aosr", Fits::logits, "1 - p_(C+1) of the detector of AOSR", "AOSR, 1 − p(unknown)", 0, make_aosr},
       {"odin", Fits::both, "max_c softmax(z(x') / T)_c of images x' moved towards their class", "ODIN", 0, make_odin,
        FittedScoreEntry::Needs::moved_outputs},
       {"cgdl", Fits::logits, "-max(reconstruction error / tau, min_c Mahalanobis_c^2 / R_c^2)", "CGDL", 1000,
        make_cgdl, FittedScoreEntry::Needs::gaussian},
       {"c2ae", Fits::logits, "-min_c mean |x - G(z_c)| of the reconstructions for all classes", "C2AE", 1000,
        make_c2ae, FittedScoreEntry::Needs::conditioned}});
  return registry;
}

namespace {

/// What a score asks of a model besides features and outputs, for messages.
std::string wanted(const FittedScoreEntry::Needs needs) {
  if (needs == FittedScoreEntry::Needs::latent) return "a backbone with a latent vector, model.name = dhrnet";
  if (needs == FittedScoreEntry::Needs::conditioned)
    return "a decoder for each class, model.decoder.name = conditioned";
  if (needs == FittedScoreEntry::Needs::gaussian) return "a backbone of Gaussians, model.name = lvae";
  return "a model of images that writes gradients by them";
}

}  // namespace

std::unique_ptr<FittedScore> make_fitted_score(const std::string_view name, const HeadModel& head,
                                               const FittedScoreOptions& options) {
  const FittedScoreEntry& entry = all_fitted_scores().find(name);
  require<ConfigError>(entry.has_what_it_needs(head.gives), "score " + entry.name, wanted(entry.needs), "another");
  require<ConfigError>(entry.fits_outputs(head.outputs), "score " + entry.name,
                       "a head that gives logits, model.head.name = linear", "a head that gives squared distances");
  return entry.make(head, options);
}

void fit(FittedScore& score, const SampleRows& rows) {
  rows.check();
  for (int pass = 0; pass < score.passes(); ++pass) {
    score.add(pass, rows);
    score.finish(pass);
  }
}

}  // namespace bcr::scores
