#ifndef BCR_LOSSES_SCORES_SCORE_HPP
#define BCR_LOSSES_SCORES_SCORE_HPP

#include "losses/loss.hpp"
#include "losses/options.hpp"
#include "src/core/views.hpp"

#include <memory>
#include <span>
#include <string_view>

namespace bcr::losses {

/// What a score must know of the model. `logit_scale` is s of z = -s D^2 and means nothing for logits.
struct ScoreShape {
  HeadOutputs outputs = HeadOutputs::squared_distances;
  int classes = 0;   ///< C; outputs may have more columns (background_class), which are never predicted
  int features = 0;  ///< n
  double logit_scale = 1;
  double temperature = 1;  ///< of the energy score
};

/// What is known of a score by its name alone.
struct ScoreInfo {
  enum class Fits { distances, both };

  std::string_view name;
  Fits fits;
  std::string_view formula;
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

/// Every score. Adding one is adding a line to scores/registry.cpp.
std::span<const ScoreInfo> all_scores();

/// ConfigError that lists the known names if there is none of that name.
const ScoreInfo& find_score(std::string_view name);

/// ConfigError if the outputs are of the wrong kind for the score, or a size is not positive.
template <class Exec, class T>
std::unique_ptr<Score<Exec, T>> make_score(std::string_view name, const ScoreShape& shape);

}  // namespace bcr::losses

#endif
