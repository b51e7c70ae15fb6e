#include "src/nn/layers/batch_norm_layer.hpp"

#include "kernels/norm/batch_norm_backward.hpp"
#include "kernels/norm/batch_norm_forward.hpp"
#include "src/core/instances.hpp"
#include "src/core/random.hpp"

namespace bcr::nn {
namespace {

constexpr double epsilon = 1e-5;
constexpr double momentum = 0.1;

}  // namespace

template <class Exec, class T>
BatchNormLayer<Exec, T>::BatchNormLayer(const Graph& graph, const Operation& operation,
                                        ParameterStore<Exec, T>& parameters, ParameterStore<Exec, T>& statistics)
    : parameters_(parameters),
      statistics_(statistics),
      settings_(std::get<BatchNorm>(operation.kind)),
      shape_(graph.shape(operation.src)),
      dropout_stream_(Stream("dropout/" + operation.name).id) {
  const auto channels = static_cast<std::size_t>(shape_.channels);
  const auto tensor = [&](const char* const part, const Fill fill) {
    return ParameterSpec{.name = operation.name + part, .extents = {channels}, .initial = {.fill = fill}};
  };
  gamma_ = parameters.add(tensor(".gamma", Fill::one));
  beta_ = parameters.add(tensor(".beta", Fill::zero));
  running_mean_ = statistics.add(tensor(".running_mean", Fill::zero));
  running_variance_ = statistics.add(tensor(".running_variance", Fill::one));

  const auto vector = [&](const char* const label) { return Vector<T, Exec>(label, channels); };
  coefficients_ = {.mean = vector("bcr::nn::batch_norm::mean"),
                   .inverse_std = vector("bcr::nn::batch_norm::inverse_std"),
                   .scale = vector("bcr::nn::batch_norm::scale"),
                   .shift = vector("bcr::nn::batch_norm::shift")};
  sums_ = Matrix<double, Exec>("bcr::nn::batch_norm::sums", 2, channels);
  backward_sums_ = Matrix<double, Exec>("bcr::nn::batch_norm::backward_sums", 2, channels);
  terms_ = Matrix<T, Exec>("bcr::nn::batch_norm::terms", 3, channels);
}

template <class Exec, class T>
WorkspaceSize BatchNormLayer<Exec, T>::workspace_size(const int most_images) const {
  return {.values = 0, .sums = kernels::norm_partials(most_images * shape_.pixels(), shape_.channels)};
}

template <class Exec, class T>
kernels::Dropout BatchNormLayer<Exec, T>::dropout(const PassInfo& pass) const {
  const double rate = pass.phase == Phase::training ? settings_.dropout : 0;
  const std::uint64_t image = shape_.size();
  return {.rate = rate,
          .seed = pass.seed,
          .stream = dropout_stream_,
          .step = pass.step,
          .numbers = {pass.images.split * image, pass.images.first_shift * image, pass.images.second_shift * image}};
}

template <class Exec, class T>
kernels::RunningStatistics<Exec, T> BatchNormLayer<Exec, T>::running() const {
  return {statistics_.values(running_mean_), statistics_.values(running_variance_)};
}

template <class Exec, class T>
void BatchNormLayer<Exec, T>::sum_forward(const Exec& exec, const ForwardViews<Exec, T>& views,
                                          const Workspace<Exec, T>& workspace, const Matrix<double, Exec>& sums) const {
  kernels::batch_norm_sums<Exec, T>(exec, as_rows<Exec, T>(views.src), workspace.sums, sums);
}

template <class Exec, class T>
void BatchNormLayer<Exec, T>::use_sums(const Exec& exec, ConstMatrix<double, Exec> sums, const double count,
                                       const RunningStatistics statistics) {
  const kernels::BatchNormParameters<Exec, T> learned{parameters_.values(gamma_), parameters_.values(beta_)};
  const bool renews = statistics == RunningStatistics::renewed;
  kernels::batch_norm_coefficients<Exec, T>(exec, sums, count, learned, epsilon, momentum,
                                            renews ? running() : kernels::RunningStatistics<Exec, T>(), coefficients_);
}

template <class Exec, class T>
void BatchNormLayer<Exec, T>::normalise(const Exec& exec, const PassInfo& pass,
                                        const ForwardViews<Exec, T>& views) const {
  kernels::batch_norm_forward<Exec, T>(exec, as_rows<Exec, T>(views.src), coefficients_.scale, coefficients_.shift,
                                       settings_.activation, dropout(pass), as_rows<Exec, T>(views.dst));
}

template <class Exec, class T>
void BatchNormLayer<Exec, T>::renew_running_statistics(const Exec& exec, ConstMatrix<double, Exec> sums,
                                                       const double count) {
  kernels::batch_norm_running_statistics<Exec, T>(exec, sums, count, momentum, running());
}

template <class Exec, class T>
kernels::Epilogue<Exec, T> BatchNormLayer<Exec, T>::inference_epilogue(const Exec& exec) {
  const kernels::BatchNormParameters<Exec, T> learned{parameters_.values(gamma_), parameters_.values(beta_)};
  kernels::batch_norm_inference_coefficients<Exec, T>(exec, running(), learned, epsilon, coefficients_);
  return {.scale = coefficients_.scale, .shift = coefficients_.shift, .addend = {}, .activation = settings_.activation};
}

template <class Exec, class T>
void BatchNormLayer<Exec, T>::forward(const Exec& exec, const PassInfo& pass, const ForwardViews<Exec, T>& views,
                                      const Workspace<Exec, T>& workspace) {
  if (pass.phase == Phase::training) {
    sum_forward(exec, views, workspace, sums_);
    use_sums(exec, sums_, static_cast<double>(views.src.extent(0) * pixels()), pass.running);
  } else {
    inference_epilogue(exec);
  }
  normalise(exec, pass, views);
}

template <class Exec, class T>
void BatchNormLayer<Exec, T>::recompute(const Exec& exec, const PassInfo& pass, const ForwardViews<Exec, T>& views,
                                        const Workspace<Exec, T>&) {
  normalise(exec, pass, views);
}

template <class Exec, class T>
void BatchNormLayer<Exec, T>::sum_backward(const Exec& exec, const PassInfo& pass, const BackwardViews<Exec, T>& views,
                                           const Workspace<Exec, T>& workspace,
                                           const Matrix<double, Exec>& sums) const {
  kernels::batch_norm_backward_sums<Exec, T>(exec, as_rows<Exec, T>(views.src), as_rows<Exec, T>(views.diff_dst),
                                             coefficients_, settings_.activation, dropout(pass), workspace.sums, sums);
  kernels::batch_norm_parameter_gradients<Exec, T>(exec, sums, parameters_.gradients(gamma_),
                                                   parameters_.gradients(beta_));
}

template <class Exec, class T>
void BatchNormLayer<Exec, T>::use_backward_sums(const Exec& exec, const PassInfo& pass, ConstMatrix<double, Exec> sums,
                                                const double count) {
  kernels::batch_norm_backward_terms<Exec, T>(exec, sums, count, coefficients_, dropout(pass), terms_);
}

template <class Exec, class T>
void BatchNormLayer<Exec, T>::finish_backward(const Exec& exec, const PassInfo& pass,
                                              const BackwardViews<Exec, T>& views) const {
  kernels::batch_norm_backward<Exec, T>(exec, as_rows<Exec, T>(views.src), as_rows<Exec, T>(views.diff_dst),
                                        coefficients_, terms_, settings_.activation, dropout(pass),
                                        views.diff_src_start, as_rows<Exec, T>(views.diff_src));
}

template <class Exec, class T>
void BatchNormLayer<Exec, T>::backward(const Exec& exec, const PassInfo& pass, const BackwardViews<Exec, T>& views,
                                       const Workspace<Exec, T>& workspace) {
  sum_backward(exec, pass, views, workspace, backward_sums_);
  if (views.diff_src.data() == nullptr) return;
  use_backward_sums(exec, pass, backward_sums_, static_cast<double>(views.src.extent(0) * pixels()));
  finish_backward(exec, pass, views);
}

#define BCR_INSTANCE(Exec, T) template class BatchNormLayer<Exec, T>;
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::nn
