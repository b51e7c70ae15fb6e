#ifndef BCR_SRC_TRAIN_EVAL_OPTIONS_HPP
#define BCR_SRC_TRAIN_EVAL_OPTIONS_HPP

#include "src/core/config.hpp"
#include "src/metrics/openmax.hpp"

#include <array>
#include <string_view>
#include <utility>

namespace bcr::metrics {

constexpr auto enum_names(OpenmaxDistance) {
  return std::array{std::pair{std::string_view("euclidean"), OpenmaxDistance::euclidean},
                    std::pair{std::string_view("eucos"), OpenmaxDistance::eucos}};
}

template <class V>
void describe(V& v, OpenmaxSettings& o) {
  v("tail_size", o.tail_size, "largest distances of a class that its Weibull model is fitted to", must_be::at_least(2));
  v("alpha", o.alpha, "highest logits that may lose to unknown; at most the number of classes", must_be::at_least(1));
  v("distance", o.distance, "to the mean logits of a class: euclidean, or eucos with the angle as well");
}

}  // namespace bcr::metrics

namespace bcr::train {

/// The section [eval].
struct EvalOptions {
  metrics::OpenmaxSettings openmax;
};

template <class V>
void describe(V& v, EvalOptions& o) {
  v("openmax", o.openmax, "the score openmax, for linear heads");
}

}  // namespace bcr::train

#endif
