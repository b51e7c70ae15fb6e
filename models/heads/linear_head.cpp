#include "models/heads/linear_head.hpp"

#include "kernels/linear/linear.hpp"
#include "src/core/instances.hpp"

#include <cmath>

namespace bcr::models {

template <class Exec, class T>
LinearHead<Exec, T>::LinearHead(nn::ParameterStore<Exec, T>& parameters, const int features, const int columns,
                                const int most_rows, const HeadBias bias, const nn::Mode mode)
    : Head<Exec, T>(features, columns),
      parameters_(parameters),
      backend_(nn::make_linear_backend<Exec, T>(
          {.inputs = std::size_t(features), .outputs = std::size_t(columns), .most_rows = std::size_t(most_rows)},
          mode)),
      workspace_("bcr::models::linear_head", backend_->workspace_size()) {
  weights_ = parameters.add({.name = "head.weights",
                             .extents = {std::size_t(columns), std::size_t(features)},
                             .initial = {nn::Fill::uniform, 1 / std::sqrt(double(features))}});
  if (bias == HeadBias::added) {
    bias_ = parameters.add(
        {.name = "head.bias", .extents = {std::size_t(columns)}, .initial = {nn::Fill::zero, 1}});
  }
}

template <class Exec, class T>
void LinearHead<Exec, T>::forward(const Exec& exec, ConstMatrix<T, Exec> features, Matrix<T, Exec> outputs) {
  const Vector<T, Exec> bias = bias_ == no_bias ? Vector<T, Exec>() : parameters_.values(bias_);
  backend_->forward(exec, features, parameters_.matrix(weights_), bias, outputs, workspace_);
}

template <class Exec, class T>
void LinearHead<Exec, T>::backward(const Exec& exec, ConstMatrix<T, Exec> features, ConstMatrix<T, Exec> diff_outputs,
                                   ConstVector<T, Exec> diff_features_factor, Matrix<T, Exec> diff_features) {
  auto start = kernels::ChainStart::zero;
  if (diff_features_factor.extent(0) > 0) {
    kernels::scale_rows<Exec, T>(exec, diff_features_factor, features, diff_features);
    start = kernels::ChainStart::dst;
  }
  backend_->backward_data(exec, diff_outputs, parameters_.matrix(weights_), start, diff_features, workspace_);
  backend_->backward_weights(exec, features, diff_outputs, parameters_.matrix_gradients(weights_), workspace_);
  if (bias_ != no_bias) kernels::linear_backward_bias<Exec, T>(exec, diff_outputs, parameters_.gradients(bias_));
}

#define BCR_INSTANCE(Exec, T) template class LinearHead<Exec, T>;
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::models
