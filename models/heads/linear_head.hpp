#ifndef BCR_MODELS_HEADS_LINEAR_HEAD_HPP
#define BCR_MODELS_HEADS_LINEAR_HEAD_HPP

#include "models/heads/head.hpp"
#include "src/nn/linear_backend.hpp"
#include "src/nn/parameters.hpp"

namespace bcr::models {

enum class HeadBias { none, added };

/// outputs = f W^T + b. Parameters: "head.weights" [columns, n], U(-1/sqrt(n), 1/sqrt(n)) at start, and, if added,
/// "head.bias" [columns], 0 at start.
template <class Exec, class T>
class LinearHead final : public Head<Exec, T> {
 public:
  LinearHead(nn::ParameterStore<Exec, T>& parameters, int features, int columns, int most_rows,
             HeadBias bias = HeadBias::added, nn::Mode mode = nn::Mode::strict);

  std::string_view name() const override { return "linear"; }
  HeadOutputs outputs() const override { return HeadOutputs::logits; }
  void forward(const Exec& exec, ConstMatrix<T, Exec> features, Matrix<T, Exec> outputs) override;
  void backward(const Exec& exec, ConstMatrix<T, Exec> features, ConstMatrix<T, Exec> diff_outputs,
                ConstVector<T, Exec> diff_features_factor, Matrix<T, Exec> diff_features) override;

 private:
  static constexpr int no_bias = -1;

  const nn::ParameterStore<Exec, T>& parameters_;
  int weights_;
  int bias_ = no_bias;
  std::unique_ptr<nn::LinearBackend<Exec, T>> backend_;
  Vector<T, Exec> workspace_;
};

}  // namespace bcr::models

#endif
