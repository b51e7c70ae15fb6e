#ifndef BCR_SRC_PREDICT_REJECTION_HPP
#define BCR_SRC_PREDICT_REJECTION_HPP

#include "io/hdf5/checkpoint.hpp"
#include "losses/scores/score.hpp"
#include "src/metrics/conformal.hpp"
#include "src/train/known_thresholds.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bcr::predict {

/// How it is decided that an image is of no known class.
enum class Rule {
  conformal,        ///< p-value <= alpha: of known images, at most the share alpha is rejected
  class_conformal,  ///< the same among the images of each guessed class
  recall,           ///< below the score that the share 1 - alpha of the validation images reaches
  inclusion,        ///< P_I < 1/2
  given,            ///< below a threshold
  never,
};

constexpr auto enum_names(Rule) {
  return std::array{std::pair{std::string_view("conformal"), Rule::conformal},
                    std::pair{std::string_view("class-conformal"), Rule::class_conformal},
                    std::pair{std::string_view("recall"), Rule::recall},
                    std::pair{std::string_view("inclusion"), Rule::inclusion},
                    std::pair{std::string_view("given"), Rule::given},
                    std::pair{std::string_view("never"), Rule::never}};
}

struct RejectionOptions {
  /// If absent: given with a threshold, else conformal, or inclusion without scores of validation images.
  std::optional<Rule> rule = std::nullopt;
  double alpha = train::usual_alpha;
  std::optional<double> threshold = std::nullopt;
};

/// The thresholds of a trained model, from its checkpoint alone: those that training stored in it; for another alpha,
/// and of files of earlier programs, as known_thresholds.hpp finds them on the scores of the validation images.
class Rejection {
 public:
  /// A ConfigError for a rule that this checkpoint or head has not, with what would give it. Of the checkpoint
  /// calibration and thresholds are read; `file` is its name.
  Rejection(const RejectionOptions& options, const io::Checkpoint& checkpoint, const std::string& score,
            const losses::ScoreShape& shape, const std::string& file);

  Rule rule() const noexcept { return rule_; }
  /// Unknown is what scores less than this.
  double threshold(std::int32_t guess) const;
  bool rejects(const double score, const std::int32_t guess) const { return !(score >= threshold(guess)); }
  /// Of the rule: among all validation images, or those of the guessed class.
  std::optional<double> p_value(double score, std::int32_t guess) const;
  /// How the threshold was found, for people.
  const std::string& found() const noexcept { return found_; }

 private:
  std::size_t group(const std::int32_t guess) const {
    return rule_ == Rule::class_conformal ? static_cast<std::size_t>(guess) : 0;
  }

  Rule rule_;
  std::vector<metrics::Conformal> groups_;  ///< of all validation images, or one of each class; empty: there are none
  std::vector<double> thresholds_;          ///< of each class that may be guessed, or a single one
  std::string found_;
};

}  // namespace bcr::predict

#endif
