#ifndef BCR_MODELS_HEADS_HEAD_HPP
#define BCR_MODELS_HEADS_HEAD_HPP

#include "kernels/conv/window.hpp"
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

  /// Given diff_outputs = dL / d outputs, writes the gradients of the parameters, and diff_features = dL / df: for
  /// ChainStart::dst what comes through the outputs is added to what diff_features holds, the part of a loss that
  /// depends on the features directly.
  virtual void backward(const Exec& exec, ConstMatrix<T, Exec> features, ConstMatrix<T, Exec> diff_outputs,
                        kernels::ChainStart start, Matrix<T, Exec> diff_features) = 0;

 protected:
  Head(const int features, const int columns) : features_(features), columns_(columns) {}

 private:
  int features_;
  int columns_;
};

}  // namespace bcr::models

#endif
