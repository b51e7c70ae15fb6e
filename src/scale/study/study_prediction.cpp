#include "src/scale/study/study_prediction.hpp"

namespace bcr::scale {
namespace {

bool differs_in_batch_alone(const Point& point, const PlannedPoint& base) {
  PlannedPoint other{point.options, point.resources};
  other.options.batch = base.options.batch;
  return other == base;
}

double backward_share(const Point& point) {
  const RegionTimes* const backward = point.region("backward");
  return backward == nullptr ? 0 : backward->summary().median / point.step().median;
}

}  // namespace

std::vector<StudyPrediction> predict_study(const StudyResult& result) {
  std::vector<StudyPrediction> predictions;
  for (const nn::Mode mode : modes_of(result.options)) {
    const PlannedPoint base = base_point(result.options, mode);
    const Point* const measured = result.find(base);
    if (measured == nullptr) continue;
    std::vector<ComputeSample> samples;
    for (const auto& [key, stored] : result.points) {
      const Point& point = stored.point;
      if (differs_in_batch_alone(point, base)) samples.push_back({double(point.options.batch), point.step().median});
    }
    StudyPrediction prediction{
        mode, fit_compute(samples, backward_share(*measured)), samples.size(), measured->parameters * sizeof(float), {},
        {}};
    const int batch = base.options.batch;
    const NetworkOptions& network = result.options.predict;
    prediction.strong = predict(prediction.compute, network, prediction.gradient_bytes, batch, Growth::strong);
    prediction.weak = predict(prediction.compute, network, prediction.gradient_bytes, batch, Growth::weak);
    predictions.push_back(std::move(prediction));
  }
  return predictions;
}

}  // namespace bcr::scale
