#ifndef BCR_MODELS_HEADS_DISTANCE_HEAD_HPP
#define BCR_MODELS_HEADS_DISTANCE_HEAD_HPP

#include "models/heads/head.hpp"
#include "src/nn/parameters.hpp"

namespace bcr::models {

/// outputs(i, c) = ||f_i - mu_c||^2. Parameters: "head.anchors" [C, n], N(0, 1) at start, in the group "anchors", so
/// that they may have a weight decay of their own.
template <class Exec, class T>
class DistanceHead final : public Head<Exec, T> {
 public:
  DistanceHead(nn::ParameterStore<Exec, T>& parameters, int features, int classes);

  std::string_view name() const override { return "distance"; }
  HeadOutputs outputs() const override { return HeadOutputs::squared_distances; }
  void forward(const Exec& exec, ConstMatrix<T, Exec> features, Matrix<T, Exec> outputs) override;
  /// No loss of squared distances depends on the norm of the features: the factor must be empty.
  void backward(const Exec& exec, ConstMatrix<T, Exec> features, ConstMatrix<T, Exec> diff_outputs,
                ConstVector<T, Exec> diff_features_factor, Matrix<T, Exec> diff_features) override;

 private:
  const nn::ParameterStore<Exec, T>& parameters_;
  int anchors_;
};

}  // namespace bcr::models

#endif
