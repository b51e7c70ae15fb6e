#include "kernels/linear/linear.hpp"
#include "models/heads/registry.hpp"
#include "src/nn/linear_backend.hpp"

#include <cmath>

namespace bcr::models {
namespace {

/// outputs = f W^T + b. Parameters: "head.weights" [columns, n], U(-1/sqrt(n), 1/sqrt(n)) at start, and, if asked for,
/// "head.bias" [columns], 0 at start.
template <class Exec, class T>
class LinearHead final : public Head<Exec, T> {
 public:
  LinearHead(nn::ParameterStore<Exec, T>& parameters, const HeadShape& shape, const HeadOptions& options,
             const nn::Mode mode)
      : Head<Exec, T>(shape.features, shape.columns),
        parameters_(parameters),
        backend_(nn::make_linear_backend<Exec, T>({.inputs = std::size_t(shape.features),
                                                   .outputs = std::size_t(shape.columns),
                                                   .most_rows = std::size_t(shape.most_rows)},
                                                  mode)),
        workspace_("bcr::models::linear_head", backend_->workspace_size()) {
    const auto columns = std::size_t(shape.columns);
    weights_ = parameters.add({.name = "head.weights",
                               .extents = {columns, std::size_t(shape.features)},
                               .initial = {nn::Fill::uniform, 1 / std::sqrt(double(shape.features))}});
    if (options.bias)
      bias_ = parameters.add({.name = "head.bias", .extents = {columns}, .initial = {nn::Fill::zero, 1}});
  }

  std::string_view name() const override { return "linear"; }
  HeadOutputs outputs() const override { return HeadOutputs::logits; }

  void forward(const Exec& exec, ConstMatrix<T, Exec> features, Matrix<T, Exec> outputs) override {
    const Vector<T, Exec> bias = bias_ == no_bias ? Vector<T, Exec>() : parameters_.values(bias_);
    backend_->forward(exec, features, parameters_.matrix(weights_), bias, outputs, workspace_);
  }

  void backward(const Exec& exec, ConstMatrix<T, Exec> features, ConstMatrix<T, Exec> diff_outputs,
                const kernels::ChainStart start, Matrix<T, Exec> diff_features) override {
    backend_->backward_data(exec, diff_outputs, parameters_.matrix(weights_), start, diff_features, workspace_);
    backend_->backward_weights(exec, features, diff_outputs, parameters_.matrix_gradients(weights_), workspace_);
    if (bias_ != no_bias) kernels::linear_backward_bias<Exec, T>(exec, diff_outputs, parameters_.gradients(bias_));
  }

 private:
  static constexpr int no_bias = -1;

  const nn::ParameterStore<Exec, T>& parameters_;
  int weights_;
  int bias_ = no_bias;
  std::unique_ptr<nn::LinearBackend<Exec, T>> backend_;
  Vector<T, Exec> workspace_;
};

struct MakeLinearHead {
  template <class Exec, class T>
  static std::unique_ptr<Head<Exec, T>> make(const HeadOptions& options, nn::ParameterStore<Exec, T>& parameters,
                                             const HeadShape& shape, const nn::Mode mode) {
    return std::make_unique<LinearHead<Exec, T>>(parameters, shape, options, mode);
  }
};

}  // namespace

HeadEntry linear_head() {
  return {.name = "linear",
          .explanation = "logits of a linear layer, z = f W^T + b",
          .outputs = HeadOutputs::logits,
          .make = PerInstance<HeadMaker>::of<MakeLinearHead>()};
}

}  // namespace bcr::models
