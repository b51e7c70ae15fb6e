#ifndef BCR_LOSSES_SCORES_SCORE_HPP
#define BCR_LOSSES_SCORES_SCORE_HPP

#include "losses/loss.hpp"
#include "src/core/per_instance.hpp"
#include "src/core/registry.hpp"
#include "src/core/views.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace bcr::losses {

/// What a score must know of the model. `logit_scale` is s of z = -s D^2 and means nothing for logits.
struct ScoreShape {
  HeadOutputs outputs = HeadOutputs::squared_distances;
  int classes = 0;   ///< C; outputs may have more columns (background_class), which are never predicted
  int features = 0;  ///< n
  double logit_scale = 1;
  double temperature = 1;  ///< of the energy score
  int latents = 0;         ///< entries of the output "latent" of the backbone, 0 if it has none
  bool moves_images = false;  ///< whether its network writes gradients by its images
  bool is_gaussian = false;   ///< whether the features are the mean of a Gaussian, beside a reconstruction
  bool is_conditioned = false;  ///< whether it reconstructs an image for each class
};

/// Maps the outputs and features of a model to one number per sample; higher means more likely of a known class.
template <class Exec, class T>
class Score {
 public:
  virtual ~Score() = default;
  Score(const Score&) = delete;
  Score& operator=(const Score&) = delete;

  /// scores(i) and predictions(i), the best known class (smallest D^2, largest z; the lowest index of equals; a NaN
  /// counts as best). outputs [N, >= C], features [N, n], scores and predictions [N]. Computed in double, the same bits
  /// everywhere; one kernel, no allocation, asynchronous on exec.
  void evaluate(const Exec& exec, ConstMatrix<T, Exec> outputs, ConstMatrix<T, Exec> features,
                Vector<double, Exec> scores, Labels<Exec> predictions) const;

  virtual std::string_view name() const = 0;
  const ScoreShape& shape() const { return shape_; }

 protected:
  explicit Score(const ScoreShape& shape) : shape_(shape) {}

 private:
  virtual void launch(const Exec& exec, const ConstMatrix<T, Exec>& outputs, const ConstMatrix<T, Exec>& features,
                      const Vector<double, Exec>& scores, const Labels<Exec>& predictions) const = 0;

  ScoreShape shape_;
};

/// Makes the score of an entry, which knows its name.
template <class Exec, class T>
using ScoreMaker = std::unique_ptr<Score<Exec, T>> (*)(const std::string& name, const ScoreShape& shape);

/// The whole description of a score.
struct ScoreEntry {
  enum class Fits { distances, logits, both };

  std::string name;
  Fits fits;            ///< the outputs it can be computed from
  std::string formula;  ///< as docs/losses.md has it
  std::string title;    ///< for axes and tables
  /// The score where P_I = 1/2, if it is a function of P_I: a threshold that needs no data. May be empty.
  std::function<double(const ScoreShape&)> inclusion_boundary;
  PerInstance<ScoreMaker> make;

  bool fits_outputs(const HeadOutputs outputs) const {
    return fits == Fits::both || (fits == Fits::distances) == (outputs == HeadOutputs::squared_distances);
  }
};

/// Every score that is a function of one sample. Adding one is adding an entry to scores.cpp, or calling add().
Registry<ScoreEntry>& all_scores();

/// ConfigError if there is no score of this name, the outputs are of the wrong kind for it, or a size is not positive.
template <class Exec, class T>
std::unique_ptr<Score<Exec, T>> make_score(std::string_view name, const ScoreShape& shape);

}  // namespace bcr::losses

#endif
