#ifndef BCR_SRC_SCORES_FITTED_SCORE_HPP
#define BCR_SRC_SCORES_FITTED_SCORE_HPP

#include "kernels/linear/head_outputs.hpp"
#include "src/core/registry.hpp"
#include "src/scores/fitted_state.hpp"
#include "src/scores/options.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace bcr::scores {

using kernels::HeadOutputs;

/// What a model says of some samples, row-major on the host.
struct SampleRows {
  enum class Origin { training, other };

  std::size_t count = 0;
  std::size_t features = 0;             ///< n
  std::size_t columns = 0;              ///< of the outputs; at least C
  std::span<const float> feature;       ///< [count, n]
  std::span<const float> output;        ///< [count, columns]
  std::span<const std::int32_t> label;  ///< [count] of training samples, each in [0, C)
  Origin origin = Origin::other;        ///< a sample of the training set is its own nearest neighbour
  std::size_t latents = 0;              ///< entries of the output "latent" of the backbone
  std::span<const float> latent;        ///< [count, latents]
  std::span<const float> moved_output;  ///< [count, columns], of images moved as odin wants them; empty if nobody does
  std::span<const double> error;        ///< [count], squared errors of reconstructions; empty without
  std::span<const double> class_error;  ///< [count, C], mean absolute errors of reconstructions for each class

  const float* feature_row(const std::size_t i) const { return feature.data() + i * features; }
  const float* output_row(const std::size_t i) const { return output.data() + i * columns; }
  const float* latent_row(const std::size_t i) const { return latent.data() + i * latents; }
  const float* moved_output_row(const std::size_t i) const { return moved_output.data() + i * columns; }
  /// A ShapeError if the spans are not as long as the numbers say.
  void check() const;
};

/// What a model gives besides features and outputs.
struct ModelGives {
  bool latent = false;         ///< a latent vector
  bool moved_outputs = false;  ///< outputs for images that its gradient has moved
  bool gaussian = false;       ///< features that are the mean of a Gaussian, and a reconstruction
  bool conditioned = false;    ///< a reconstruction for each class
};

/// The last layer of a model, which turns features into outputs. Columns beyond the known classes are left out.
struct HeadModel {
  HeadOutputs outputs = HeadOutputs::logits;
  std::size_t classes = 0;     ///< C
  std::size_t features = 0;    ///< n
  double logit_scale = 1;      ///< s of z = -s D^2
  std::vector<float> weights;  ///< [C, n]: W of z = W f + b, or the anchors
  std::vector<float> bias;     ///< [C], or empty
  std::size_t latents = 0;     ///< entries of the output "latent" of the backbone, 0 if it has none
  ModelGives gives{};

  /// z_c of outputs.
  double logit(const float output) const {
    return outputs == HeadOutputs::logits ? double(output) : -logit_scale * double(output);
  }
  /// The known class with the largest logit, the lowest index of equals.
  std::int32_t best_class(const float* outputs_row) const;
  const float* weight_row(const std::size_t c) const { return weights.data() + c * features; }
};

/// A score with parameters that are fitted to the outputs and features of the training samples; higher means more
/// likely of a known class. The training set is shown in blocks, in its order, as often as passes() says, so that no
/// score needs more memory than its parameters; how it is cut into blocks changes no bit, nor does the number of
/// threads. All arithmetic is in double, every sum in the order of the samples.
class FittedScore {
 public:
  virtual ~FittedScore() = default;

  virtual int passes() const = 0;
  /// Whether it looks at features, or at outputs alone.
  virtual bool reads_features() const { return true; }
  /// The next samples of pass 0 ... passes() - 1; finish(pass) follows the last.
  virtual void add(int pass, const SampleRows& rows) = 0;
  virtual void finish(int pass) = 0;
  /// Why the fit does not define the score, or "".
  virtual std::string undefined() const { return ""; }
  /// Sentences about the fit that people should read.
  virtual std::vector<std::string> remarks() const { return {}; }

  /// dst(i) of every row.
  virtual void score(const SampleRows& rows, std::span<double> dst) const = 0;

  /// Whether the method has a rule of its own that answers with one of C + 1 classes, the last being "unknown".
  virtual bool decides() const { return false; }
  virtual void decide(const SampleRows& rows, std::span<std::int32_t> dst) const;

  /// Everything that score() and decide() need; restore() of a new object makes it answer with the same bits.
  virtual FittedState state() const = 0;
  virtual void restore(const FittedState& state) = 0;
};

/// The whole description of a fitted score.
struct FittedScoreEntry {
  enum class Fits { logits, both };
  enum class Needs { nothing, latent, moved_outputs, gaussian, conditioned };  ///< besides features and outputs

  std::string name;
  Fits fits;
  std::string formula;
  std::string title;
  std::size_t unasked_classes;  ///< up to so many known classes it is computed without being asked for
  std::function<std::unique_ptr<FittedScore>(const HeadModel&, const FittedScoreOptions&)> make;
  Needs needs = Needs::nothing;

  bool fits_outputs(const HeadOutputs outputs) const { return fits == Fits::both || outputs == HeadOutputs::logits; }
  bool has_what_it_needs(const ModelGives& gives) const {
    return needs == Needs::nothing || (needs == Needs::latent && gives.latent) ||
           (needs == Needs::moved_outputs && gives.moved_outputs) || (needs == Needs::gaussian && gives.gaussian) ||
           (needs == Needs::conditioned && gives.conditioned);
  }
};

/// Every fitted score. Adding one is adding an entry to fitted_score.cpp, or calling add().
Registry<FittedScoreEntry>& all_fitted_scores();

/// ConfigError if there is none of this name, or it does not fit the outputs.
std::unique_ptr<FittedScore> make_fitted_score(std::string_view name, const HeadModel& head,
                                               const FittedScoreOptions& options);

/// Shows rows to a score in one block for every pass.
void fit(FittedScore& score, const SampleRows& rows);

}  // namespace bcr::scores

#endif
