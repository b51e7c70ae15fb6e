#include "src/scale/study/rank_model.hpp"

#include "src/core/error.hpp"

#include <algorithm>
#include <bit>

namespace bcr::scale {

ComputeModel fit_compute(const std::span<const ComputeSample> samples, const double backward_share) {
  require<ConfigError>(!samples.empty(), "fit_compute", "at least one measured point", "none");
  // Least squares of (f + p x_i) / t_i - 1 with weights 1 / t_i^2: short steps count as much as long ones.
  double w = 0, wx = 0, wxx = 0, wt = 0, wxt = 0;
  for (const auto& [images, seconds] : samples) {
    const double weight = 1 / (seconds * seconds);
    w += weight;
    wx += weight * images;
    wxx += weight * images * images;
    wt += weight * seconds;
    wxt += weight * images * seconds;
  }
  const double determinant = w * wxx - wx * wx;
  ComputeModel model{0, wxt / wxx, backward_share};
  if (!(determinant > 1e-9 * w * wxx)) return model;
  const double fixed = (wt * wxx - wxt * wx) / determinant;
  const double per_image = (w * wxt - wx * wt) / determinant;
  if (per_image < 0) return {wt / w, 0, backward_share};
  if (fixed > 0) model = {fixed, per_image, backward_share};
  return model;
}

double join_seconds(const NetworkOptions& network, const double gradient_bytes, const int ranks) {
  const double latency = 1e-6 * network.latency_us;
  const double bandwidth = 1e9 * network.bandwidth_gbs;
  if (network.join == Join::tree) {
    const int levels = std::bit_width(static_cast<unsigned>(ranks) - 1);
    return 2 * levels * (latency + gradient_bytes / bandwidth);
  }
  return 2.0 * (ranks - 1) * (latency + gradient_bytes / ranks / bandwidth);
}

std::vector<PredictedPoint> predict(const ComputeModel& compute, const NetworkOptions& network,
                                    const double gradient_bytes, const int batch, const Growth growth) {
  std::vector<PredictedPoint> points;
  const double alone = compute.seconds(batch);
  for (int ranks = 1; ranks <= network.most_ranks; ranks *= 2) {
    if (growth == Growth::strong && ranks > batch) break;
    const double images = growth == Growth::strong ? double(batch) / ranks : batch;
    const double computing = compute.seconds(images);
    const double hidden = network.overlap * compute.backward_share * computing;
    const double seconds = computing + std::max(0.0, join_seconds(network, gradient_bytes, ranks) - hidden);
    points.push_back({ranks, seconds, alone / seconds / (growth == Growth::strong ? ranks : 1)});
  }
  return points;
}

}  // namespace bcr::scale
