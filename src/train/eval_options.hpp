#ifndef BCR_SRC_TRAIN_EVAL_OPTIONS_HPP
#define BCR_SRC_TRAIN_EVAL_OPTIONS_HPP

#include "src/core/config.hpp"
#include "src/scores/options.hpp"

#include <optional>

namespace bcr::train {

/// The section [eval].
struct EvalOptions {
  double recall = 0.95;
  double softmax_threshold = 0.5;
  std::optional<double> threshold;
  scores::FittedScoreOptions scores;
};

template <class V>
void describe(V& v, EvalOptions& o) {
  v("recall", o.recall, "share of known images, none of them of the test, that a threshold accepts",
    must_be::between(0.01, 1));
  v("softmax_threshold", o.softmax_threshold, "tau of the decision that rejects max_softmax < tau",
    must_be::between(0, 1));
  v("threshold", o.threshold, "a threshold of the default score, for a decision of its own");
  describe(v, o.scores);
}

}  // namespace bcr::train

#endif
