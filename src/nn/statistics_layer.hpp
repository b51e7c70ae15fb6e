#ifndef BCR_SRC_NN_STATISTICS_LAYER_HPP
#define BCR_SRC_NN_STATISTICS_LAYER_HPP

#include "src/nn/layer.hpp"

namespace bcr::nn {

/// A layer whose result depends on all images of a batch: batch norm. Its passes come in parts, so that the sums over
/// the shards of a batch can be joined in between; forward() and backward() are all parts for one shard that is the
/// batch. Sums are [2, C] in double and additive over shards; `count` is the number of pixels they were taken over.
template <class Exec, class T>
class StatisticsLayer : public Layer<Exec, T> {
 public:
  virtual int channels() const = 0;
  virtual std::size_t pixels() const = 0;  ///< of an image

  /// Where forward() leaves its sums, for renew_running_statistics() after all shards are joined.
  virtual void keep_sums_in(Matrix<double, Exec> sums) = 0;

  virtual void sum_forward(const Exec& exec, const ForwardViews<Exec, T>& views, const Workspace<Exec, T>& workspace,
                           const Matrix<double, Exec>& sums) const = 0;
  virtual void use_sums(const Exec& exec, ConstMatrix<double, Exec> sums, double count, RunningStatistics running) = 0;
  virtual void normalise(const Exec& exec, const PassInfo& pass, const ForwardViews<Exec, T>& views) const = 0;
  virtual void renew_running_statistics(const Exec& exec, ConstMatrix<double, Exec> sums, double count) = 0;

  /// Inference as the end of the convolution before, from the parameters and running statistics of this moment.
  virtual kernels::Epilogue<Exec, T> inference_epilogue(const Exec& exec) = 0;

  /// Also writes the gradients of the parameters, which a shard has for itself.
  virtual void sum_backward(const Exec& exec, const PassInfo& pass, const BackwardViews<Exec, T>& views,
                            const Workspace<Exec, T>& workspace, const Matrix<double, Exec>& sums) const = 0;
  virtual void use_backward_sums(const Exec& exec, const PassInfo& pass, ConstMatrix<double, Exec> sums,
                                 double count) = 0;
  virtual void finish_backward(const Exec& exec, const PassInfo& pass, const BackwardViews<Exec, T>& views) const = 0;
};

}  // namespace bcr::nn

#endif
