#ifndef BCR_SRC_SCALE_STUDY_RANK_MODEL_HPP
#define BCR_SRC_SCALE_STUDY_RANK_MODEL_HPP

#include "src/core/config.hpp"

#include <array>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace bcr::scale {

/// How the gradients of R ranks are joined.
///   exchange  every rank sends a piece of B / R bytes to each other one and then its sum to all:
///             2 (R - 1) (latency + B / R / bandwidth). This is what bcr does.
///   tree      sums of all B bytes go up a binary tree and down again: 2 ceil(log2 R) (latency + B / bandwidth).
enum class Join { exchange, tree };

constexpr auto enum_names(Join) {
  using namespace std::string_view_literals;
  return std::array{std::pair{"exchange"sv, Join::exchange}, std::pair{"tree"sv, Join::tree}};
}

/// The section [predict]: a machine that is not there.
struct NetworkOptions {
  double latency_us = 2;
  double bandwidth_gbs = 12.5;
  double overlap = 0;
  Join join = Join::exchange;
  int most_ranks = 1024;
};

template <class V>
void describe(V& v, NetworkOptions& o) {
  v("latency_us", o.latency_us, "microseconds until a message begins to arrive", must_be::not_negative());
  v("bandwidth_gbs", o.bandwidth_gbs, "GB/s that one rank sends and, at the same time, receives",
    must_be::positive_or_infinite());
  v("overlap", o.overlap, "share of the backward pass behind which messages can travel", must_be::fraction());
  v("join", o.join, "how gradients are joined");
  v("most_ranks", o.most_ranks, "up to which number of ranks", must_be::between(1, 1 << 20));
}

/// The time of a step on one rank without messages, as a function of its images: fixed + per_image * images.
struct ComputeModel {
  double fixed = 0;
  double per_image = 0;
  double backward_share = 0;  ///< of that time, for the overlap

  double seconds(const double images) const { return fixed + per_image * images; }
};

struct ComputeSample {
  double images = 0;
  double seconds = 0;
};

/// The line through the samples with the least sum of squared relative errors and both coefficients >= 0; through the
/// origin for one sample, or several of the same number of images. Without samples a ConfigError.
ComputeModel fit_compute(std::span<const ComputeSample> samples, double backward_share);

double join_seconds(const NetworkOptions& network, double gradient_bytes, int ranks);

struct PredictedPoint {
  int ranks = 1;
  double seconds = 0;
  double efficiency = 0;  ///< t(1) / (R t(R)) for a fixed batch, t(1) / t(R) for a batch that grows
};

enum class Growth { strong, weak };

/// A PREDICTION, not a measurement: R = 1, 2, 4, ... ranks, each with batch / R images (strong; as long as every rank
/// has one) or with batch images (weak), and
///   t(R) = compute(images of a rank) + max(0, join(R) - overlap * backward share * compute(images of a rank)).
/// Every rank is as fast as the one measured; messages do not meet on the way.
std::vector<PredictedPoint> predict(const ComputeModel& compute, const NetworkOptions& network, double gradient_bytes,
                                    int batch, Growth growth);

}  // namespace bcr::scale

#endif
