#ifndef BCR_MODELS_HEADS_HEAD_HPP
#define BCR_MODELS_HEADS_HEAD_HPP

#include "kernels/linear/head_outputs.hpp"
#include "src/core/views.hpp"

#include <string_view>

namespace bcr::models {

using kernels::HeadOutputs;

/// The last part of a model: maps features f [N, n] to outputs [N, columns], one column per class.
/// Its parameters lie in the model's ParameterStore: a head adds them when it is made, finds them there when it is
/// used, and must not outlive the store. Calls are asynchronous on exec; N is at most the `most_rows` it was made for
/// and may be 0; nothing is allocated after the first call.
template <class Exec, class T>
class Head {
 public:
  virtual ~Head() = default;
  Head(const Head&) = delete;
  Head& operator=(const Head&) = delete;

  virtual std::string_view name() const = 0;
  virtual HeadOutputs outputs() const = 0;
  int features() const { return features_; }
  int columns() const { return columns_; }

  /// outputs(i, c) of features(i, :).
  virtual void forward(const Exec& exec, ConstMatrix<T, Exec> features, Matrix<T, Exec> outputs) = 0;

  /// Given diff_outputs = dL / d outputs, writes diff_features = dL / df and the gradients of the parameters.
  /// diff_features_factor [N], or empty for zeros: the loss depends on the norm of the features too, and
  /// diff_features(i, :) has the term factor(i) features(i, :) besides.
  virtual void backward(const Exec& exec, ConstMatrix<T, Exec> features, ConstMatrix<T, Exec> diff_outputs,
                        ConstVector<T, Exec> diff_features_factor, Matrix<T, Exec> diff_features) = 0;

 protected:
  Head(const int features, const int columns) : features_(features), columns_(columns) {}

 private:
  int features_;
  int columns_;
};

}  // namespace bcr::models

#endif
