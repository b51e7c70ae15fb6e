#ifndef BCR_SRC_ONNX_DECISION_WRITER_HPP
#define BCR_SRC_ONNX_DECISION_WRITER_HPP

#include "losses/scores/score.hpp"
#include "models/heads/registry.hpp"
#include "src/onnx/graph_writer.hpp"
#include "src/onnx/weights.hpp"
#include "src/predict/rejection.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bcr::onnx {

/// Whether P_I = Q(n/2, D^2/2) can be: it is a finite sum for an even number of features.
bool expresses_inclusion(const losses::ScoreShape& shape);

/// Writes what follows the features: a head, in float as everything before it, and the best class, scores and the
/// decision, in double as everywhere (losses/scores). Results have the names of the outputs of the file.
class DecisionWriter {
 public:
  /// The scores that can be expressed.
  static std::vector<std::string> known_scores();

  /// `features` [N, n]; columns: of the head, of which the first shape.classes are known classes.
  DecisionWriter(GraphWriter& file, const Weights& weights, const losses::ScoreShape& shape, int columns,
                 std::string features);

  /// "squared_distances" or "logits" [N, columns].
  std::string write_head(const models::HeadOptions& head);
  /// "guess": the best known class.
  std::string write_guess();
  /// Under the name of a result; a ConfigError for a score that cannot be expressed. Follows write_guess.
  std::string write_score(std::string_view score, const std::string& name);
  /// P_I of the guess.
  std::string write_inclusion(const std::string& name);
  /// p(s) = (1 + #{i : s_i <= s}) / (n + 1) of the validation samples, of which there must be some; for class-conformal,
  /// of those with the same guess.
  std::string write_p_value(const std::string& score, predict::Rule rule, const io::Calibration& calibration);
  /// "unknown", and "label": the guess, or -1.
  void write_decision(const std::string& score, const predict::Rejection& rule);

 private:
  struct ScoreEntry;
  static const std::vector<ScoreEntry>& entries();

  std::string min_distance(const std::string& name);
  std::string max_logit(const std::string& name);
  std::string max_softmax(const std::string& name);
  std::string energy(const std::string& name);
  std::string log_inclusion(const std::string& name);

  std::string to_double(const std::string& name, const std::string& value);
  /// log sum_c exp of the rows of a matrix.
  std::string log_sum_exp(const std::string& name, const std::string& rows);
  std::string row_maximum(const std::string& name, const std::string& rows);

  GraphWriter& file_;
  const Weights& weights_;
  losses::ScoreShape shape_;
  int columns_;
  std::string features_;
  std::string outputs_;      ///< of the head, float
  std::string all_, known_;  ///< z_c, double: of all columns, and of the known classes
  std::string guess_;
};

}  // namespace bcr::onnx

#endif
