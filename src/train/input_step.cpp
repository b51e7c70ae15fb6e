#include "src/train/input_step.hpp"

#include "kernels/math/exp.hpp"
#include "src/core/instances.hpp"

namespace bcr::train {
namespace {

/// The gradient of L by the outputs of one row, without the factor |dz / d output| / T, which no sign depends on:
/// softmax(z / T) - 1 at the best class, turned where outputs are distances, z = -s D^2. Columns of no known class: 0.
template <class Exec, class T>
struct ConfidenceGradient {
  Matrix<T, Exec> outputs;
  Matrix<T, Exec> diff;
  int classes;
  double scale;  ///< z / T = scale output

  KOKKOS_FUNCTION void operator()(const int i) const {
    int best = 0;
    for (int c = 1; c < classes; ++c)
      if (scale * double(outputs(i, c)) > scale * double(outputs(i, best))) best = c;
    const double largest = scale * double(outputs(i, best));
    double total = 0;
    for (int c = 0; c < classes; ++c) total += kernels::strict::exp(scale * double(outputs(i, c)) - largest);
    const double turned = scale < 0 ? -1 : 1;
    for (int c = 0; c < outputs.extent_int(1); ++c) {
      const double share = c < classes ? kernels::strict::exp(scale * double(outputs(i, c)) - largest) / total : 0.0;
      diff(i, c) = T(turned * (share - (c == best ? 1 : 0)));
    }
  }
};

template <class Exec, class T>
struct Move {
  const T* images;
  const T* diff;
  Vector<T, Exec> steps;
  T* moved;

  KOKKOS_FUNCTION void operator()(const std::size_t e) const {
    const T step = steps(e % steps.extent(0));
    moved[e] = diff[e] > T(0) ? images[e] - step : diff[e] < T(0) ? images[e] + step : images[e];
  }
};

}  // namespace

template <class Exec, class T>
InputStep<Exec, T>::InputStep(models::Model<Exec, T>& model, const losses::ScoreShape& shape,
                              const scores::OdinSettings& settings, const std::vector<double>& deviations,
                              const std::size_t batch)
    : model_(model),
      shape_(shape),
      temperature_(settings.temperature),
      steps_("bcr::train::steps", deviations.size()),
      diff_outputs_("bcr::train::confidence_gradient", batch, model.columns()),
      moved_("bcr::train::moved_images", batch * model.network().graph().shape(0).size()) {
  require<ShapeError>(deviations.size() == std::size_t(model.network().graph().shape(0).channels), "InputStep",
                      "the deviation of every channel", std::to_string(deviations.size()));
  const auto host = Kokkos::create_mirror_view(steps_);
  for (std::size_t c = 0; c < deviations.size(); ++c) host(c) = static_cast<T>(settings.epsilon / deviations[c]);
  Kokkos::deep_copy(steps_, host);
}

template <class Exec, class T>
Matrix<T, Exec> InputStep<Exec, T>::outputs(const Exec& exec, const Tensor4<T, Exec>& images) {
  const std::size_t rows = images.extent(0);
  const nn::Tensors<Exec, T> inputs(images);
  const nn::PassInfo pass{.phase = nn::Phase::frozen};
  auto& network = model_.network();
  const Matrix<T, Exec> features = model_.forward_features(exec, pass, inputs);
  const Matrix<T, Exec> outputs = model_.forward_head(exec, features);
  const Matrix<T, Exec> diff(diff_outputs_.data(), rows, diff_outputs_.extent(1));
  const double logit = shape_.outputs == losses::HeadOutputs::logits ? 1.0 : -shape_.logit_scale;
  Kokkos::parallel_for("bcr::train::confidence_gradient", Kokkos::RangePolicy<Exec>(exec, 0, int(rows)),
                       ConfidenceGradient<Exec, T>{outputs, diff, shape_.classes, logit / temperature_});
  for (const auto& [name, value] : network.graph().outputs())
    if (name != "features") Kokkos::deep_copy(exec, network.diff(name, rows).images(), T(0));
  model_.backward_head(exec, features, diff);
  model_.backward_features(exec, pass, inputs);

  const Tensor4<T, Exec> by_images = network.input_diff("images", rows).images();
  const Tensor4<T, Exec> moved(moved_.data(), rows, images.extent(1), images.extent(2), images.extent(3));
  Kokkos::parallel_for("bcr::train::move_images",
                       Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(exec, 0, images.size()),
                       Move<Exec, T>{images.data(), by_images.data(), steps_, moved.data()});
  return model_.forward(exec, {.phase = nn::Phase::inference}, moved).matrix(model_.output_name());
}

#define BCR_INSTANCE(Exec, T) template class InputStep<Exec, T>;
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::train
