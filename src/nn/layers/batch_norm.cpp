#include "src/nn/layers/batch_norm.hpp"

#include "kernels/norm/batch_norm_backward.hpp"
#include "kernels/norm/batch_norm_coefficients.hpp"
#include "kernels/norm/batch_norm_forward.hpp"
#include "kernels/norm/dropout_mask.hpp"
#include "src/core/random.hpp"
#include "src/nn/layer.hpp"

namespace bcr::nn {
namespace {

constexpr double momentum = 0.1;

template <class Exec, class T>
class BatchNormLayer final : public StatisticsLayer<Exec, T> {
 public:
  BatchNormLayer(const OperationWith<BatchNorm>& operation, const LayerContext<Exec, T>& context);

  WorkspaceSize workspace_size(const int most_images) const override {
    return {.values = 0, .sums = kernels::norm_partials(most_images * shape_.pixels(), shape_.channels)};
  }
  void forward(const Exec& exec, const PassInfo& pass, const ForwardViews<Exec, T>& views,
               const Workspace<Exec, T>& workspace) override;
  void recompute(const Exec& exec, const PassInfo& pass, const ForwardViews<Exec, T>& views,
                 const Workspace<Exec, T>&) override {
    normalise(exec, pass, views);
  }
  void backward(const Exec& exec, const PassInfo& pass, const BackwardViews<Exec, T>& views,
                const Workspace<Exec, T>& workspace) override;
  void join_epilogue(const Exec& exec, const ForwardViews<Exec, T>& views,
                     kernels::Epilogue<Exec, T>& epilogue) override;

  int channels() const override { return shape_.channels; }
  std::size_t pixels() const override { return shape_.pixels(); }
  void keep_sums_in(Matrix<double, Exec> sums) override { sums_ = sums; }
  void sum_forward(const Exec& exec, const ForwardViews<Exec, T>& views, const Workspace<Exec, T>& workspace,
                   const Matrix<double, Exec>& sums) const override;
  void use_sums(const Exec& exec, ConstMatrix<double, Exec> sums, double count, RunningStatistics running) override;
  void normalise(const Exec& exec, const PassInfo& pass, const ForwardViews<Exec, T>& views) const override;
  void renew_running_statistics(const Exec& exec, ConstMatrix<double, Exec> sums, double count) override;
  void sum_backward(const Exec& exec, const PassInfo& pass, const BackwardViews<Exec, T>& views,
                    const Workspace<Exec, T>& workspace, const Matrix<double, Exec>& sums) const override;
  void use_backward_sums(const Exec& exec, const PassInfo& pass, ConstMatrix<double, Exec> sums, double count) override;
  void finish_backward(const Exec& exec, const PassInfo& pass, const BackwardViews<Exec, T>& views) const override;

 private:
  bool learns() const { return settings_.affine == Affine::learned; }
  kernels::BatchNormParameters<Exec, T> learned() const {
    if (!learns()) return {ones_, zeros_};
    return {parameters_.values(gamma_), parameters_.values(beta_)};
  }
  kernels::RunningStatistics<Exec, T> running() const {
    return {statistics_.values(running_mean_), statistics_.values(running_variance_)};
  }
  kernels::Dropout dropout(const PassInfo& pass) const {
    return pass.dropout(settings_.dropout, dropout_stream_, shape_.size());
  }
  /// The coefficients of an inference pass.
  void use_running_statistics(const Exec& exec);

  const ParameterStore<Exec, T>& parameters_;
  const ParameterStore<Exec, T>& statistics_;
  BatchNorm settings_;
  ImageShape shape_;
  std::uint32_t dropout_stream_;
  int gamma_ = 0;  ///< only if it learns
  int beta_ = 0;
  Vector<T, Exec> ones_;  ///< in their place, only if it does not
  Vector<T, Exec> zeros_;
  int running_mean_;
  int running_variance_;
  kernels::BatchNormCoefficients<Exec, T> coefficients_;
  Matrix<double, Exec> sums_;
  Matrix<double, Exec> backward_sums_;
  Matrix<T, Exec> terms_;
};

template <class Exec, class T>
BatchNormLayer<Exec, T>::BatchNormLayer(const OperationWith<BatchNorm>& operation, const LayerContext<Exec, T>& context)
    : parameters_(context.parameters),
      statistics_(context.statistics),
      settings_(operation.settings()),
      shape_(operation.source_shape()),
      dropout_stream_(Stream("dropout/" + operation.name()).id) {
  const auto channels = static_cast<std::size_t>(shape_.channels);
  const auto tensor = [&](const char* const part, const Fill fill) {
    return ParameterSpec{.name = operation.name() + part, .extents = {channels}, .initial = {.fill = fill}};
  };
  if (learns()) {
    gamma_ = context.parameters.add(tensor(".gamma", Fill::one));
    beta_ = context.parameters.add(tensor(".beta", Fill::zero));
  } else {
    ones_ = Vector<T, Exec>("bcr::nn::batch_norm::ones", channels);
    zeros_ = Vector<T, Exec>("bcr::nn::batch_norm::zeros", channels);
    Kokkos::deep_copy(context.exec, ones_, T(1));
  }
  running_mean_ = context.statistics.add(tensor(".running_mean", Fill::zero));
  running_variance_ = context.statistics.add(tensor(".running_variance", Fill::one));

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
void BatchNormLayer<Exec, T>::sum_forward(const Exec& exec, const ForwardViews<Exec, T>& views,
                                          const Workspace<Exec, T>& workspace, const Matrix<double, Exec>& sums) const {
  kernels::batch_norm_sums<Exec, T>(exec, as_rows<Exec, T>(views.src()), workspace.sums, sums);
}

template <class Exec, class T>
void BatchNormLayer<Exec, T>::use_sums(const Exec& exec, ConstMatrix<double, Exec> sums, const double count,
                                       const RunningStatistics statistics) {
  const bool renews = statistics == RunningStatistics::renewed;
  kernels::batch_norm_coefficients<Exec, T>(exec, sums, count, learned(), batch_norm_epsilon, momentum,
                                            renews ? running() : kernels::RunningStatistics<Exec, T>(), coefficients_);
}

template <class Exec, class T>
void BatchNormLayer<Exec, T>::normalise(const Exec& exec, const PassInfo& pass,
                                        const ForwardViews<Exec, T>& views) const {
  kernels::batch_norm_forward<Exec, T>(exec, as_rows<Exec, T>(views.src()), coefficients_.scale, coefficients_.shift,
                                       settings_.activation, dropout(pass), as_rows<Exec, T>(views.dst()));
}

template <class Exec, class T>
void BatchNormLayer<Exec, T>::renew_running_statistics(const Exec& exec, ConstMatrix<double, Exec> sums,
                                                       const double count) {
  kernels::batch_norm_running_statistics<Exec, T>(exec, sums, count, momentum, running());
}

template <class Exec, class T>
void BatchNormLayer<Exec, T>::use_running_statistics(const Exec& exec) {
  kernels::batch_norm_inference_coefficients<Exec, T>(exec, running(), learned(), batch_norm_epsilon, coefficients_);
}

template <class Exec, class T>
void BatchNormLayer<Exec, T>::join_epilogue(const Exec& exec, const ForwardViews<Exec, T>&,
                                            kernels::Epilogue<Exec, T>& epilogue) {
  use_running_statistics(exec);
  epilogue.scale = coefficients_.scale;
  epilogue.shift = coefficients_.shift;
  epilogue.activation = settings_.activation;
}

template <class Exec, class T>
void BatchNormLayer<Exec, T>::forward(const Exec& exec, const PassInfo& pass, const ForwardViews<Exec, T>& views,
                                      const Workspace<Exec, T>& workspace) {
  if (pass.phase == Phase::training) {
    sum_forward(exec, views, workspace, sums_);
    use_sums(exec, sums_, static_cast<double>(views.src().extent(0) * pixels()), pass.running);
  } else {
    use_running_statistics(exec);
  }
  normalise(exec, pass, views);
}

template <class Exec, class T>
void BatchNormLayer<Exec, T>::sum_backward(const Exec& exec, const PassInfo& pass, const BackwardViews<Exec, T>& views,
                                           const Workspace<Exec, T>& workspace,
                                           const Matrix<double, Exec>& sums) const {
  kernels::batch_norm_backward_sums<Exec, T>(exec, as_rows<Exec, T>(views.src()), as_rows<Exec, T>(views.diff_dst()),
                                             coefficients_, settings_.activation, dropout(pass), workspace.sums, sums);
  if (learns())
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
  kernels::batch_norm_backward<Exec, T>(exec, as_rows<Exec, T>(views.src()), as_rows<Exec, T>(views.diff_dst()),
                                        coefficients_, terms_, settings_.activation, dropout(pass),
                                        views.diff_src_start(), as_rows<Exec, T>(views.diff_src()));
}

template <class Exec, class T>
void BatchNormLayer<Exec, T>::backward(const Exec& exec, const PassInfo& pass, const BackwardViews<Exec, T>& views,
                                       const Workspace<Exec, T>& workspace) {
  sum_backward(exec, pass, views, workspace, backward_sums_);
  if (!views.asks_for_diff_src()) return;
  // Running statistics do not depend on the batch.
  if (pass.phase == Phase::frozen) Kokkos::deep_copy(exec, backward_sums_, 0.0);
  use_backward_sums(exec, pass, backward_sums_, static_cast<double>(views.src().extent(0) * pixels()));
  finish_backward(exec, pass, views);
}

class BatchNormOperation final : public OperationOf<BatchNorm, BatchNormLayer> {
 public:
  using OperationOf::OperationOf;

  bool backward_reads_source(std::size_t) const override { return true; }
  bool is_recomputed() const override { return true; }
  EpilogueRole epilogue_role() const override {
    return settings().activation == Activation::none ? EpilogueRole::scales : EpilogueRole::scales_and_activates;
  }

 protected:
  std::vector<ImageShape> infer() const override {
    require<ConfigError>(settings().dropout >= 0 && settings().dropout < 1, name(), "a dropout rate in [0, 1)",
                         std::to_string(settings().dropout));
    return {source_shape()};
  }
};

}  // namespace

ValueId batch_norm(Graph& graph, std::string name, const ValueId src, const BatchNorm& settings) {
  return graph.append(std::make_shared<BatchNormOperation>(std::move(name), std::vector{src}, settings));
}

}  // namespace bcr::nn
