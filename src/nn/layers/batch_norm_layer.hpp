#ifndef BCR_SRC_NN_LAYERS_BATCH_NORM_LAYER_HPP
#define BCR_SRC_NN_LAYERS_BATCH_NORM_LAYER_HPP

#include "kernels/norm/batch_norm_coefficients.hpp"
#include "kernels/norm/dropout_mask.hpp"
#include "src/nn/statistics_layer.hpp"

namespace bcr::nn {

/// Batch norm with its activation and dropout in one pass: epsilon 1e-5, momentum of the running statistics 0.1.
/// Parameters: <name>.gamma, <name>.beta [C]; statistics: <name>.running_mean, <name>.running_variance [C].
template <class Exec, class T>
class BatchNormLayer : public StatisticsLayer<Exec, T> {
 public:
  BatchNormLayer(const Graph& graph, const Operation& operation, ParameterStore<Exec, T>& parameters,
                 ParameterStore<Exec, T>& statistics);

  WorkspaceSize workspace_size(int most_images) const override;
  void forward(const Exec& exec, const PassInfo& pass, const ForwardViews<Exec, T>& views,
               const Workspace<Exec, T>& workspace) override;
  void recompute(const Exec& exec, const PassInfo& pass, const ForwardViews<Exec, T>& views,
                 const Workspace<Exec, T>& workspace) override;
  void backward(const Exec& exec, const PassInfo& pass, const BackwardViews<Exec, T>& views,
                const Workspace<Exec, T>& workspace) override;

  int channels() const override { return shape_.channels; }
  std::size_t pixels() const override { return shape_.pixels(); }
  void keep_sums_in(Matrix<double, Exec> sums) override { sums_ = sums; }
  void sum_forward(const Exec& exec, const ForwardViews<Exec, T>& views, const Workspace<Exec, T>& workspace,
                   const Matrix<double, Exec>& sums) const override;
  void use_sums(const Exec& exec, ConstMatrix<double, Exec> sums, double count, RunningStatistics running) override;
  void normalise(const Exec& exec, const PassInfo& pass, const ForwardViews<Exec, T>& views) const override;
  kernels::Epilogue<Exec, T> inference_epilogue(const Exec& exec) override;
  void renew_running_statistics(const Exec& exec, ConstMatrix<double, Exec> sums, double count) override;
  void sum_backward(const Exec& exec, const PassInfo& pass, const BackwardViews<Exec, T>& views,
                    const Workspace<Exec, T>& workspace, const Matrix<double, Exec>& sums) const override;
  void use_backward_sums(const Exec& exec, const PassInfo& pass, ConstMatrix<double, Exec> sums, double count) override;
  void finish_backward(const Exec& exec, const PassInfo& pass, const BackwardViews<Exec, T>& views) const override;

 private:
  kernels::Dropout dropout(const PassInfo& pass) const;
  kernels::RunningStatistics<Exec, T> running() const;

  const ParameterStore<Exec, T>& parameters_;
  const ParameterStore<Exec, T>& statistics_;
  BatchNorm settings_;
  ImageShape shape_;
  std::uint32_t dropout_stream_;
  int gamma_;
  int beta_;
  int running_mean_;
  int running_variance_;
  kernels::BatchNormCoefficients<Exec, T> coefficients_;
  Matrix<double, Exec> sums_;
  Matrix<double, Exec> backward_sums_;
  Matrix<T, Exec> terms_;
};

}  // namespace bcr::nn

#endif
