#ifndef BCR_SRC_NN_LINEAR_BACKEND_HPP
#define BCR_SRC_NN_LINEAR_BACKEND_HPP

#include "kernels/conv/window.hpp"
#include "src/core/views.hpp"
#include "src/nn/mode.hpp"

#include <cstddef>
#include <memory>
#include <string>

namespace bcr::nn {

/// A fully connected layer: src [N, inputs], weights [outputs, inputs], dst [N, outputs] for N up to most_rows.
struct LinearProblem {
  std::size_t inputs = 1;
  std::size_t outputs = 1;
  std::size_t most_rows = 1;
};

/// Who computes its three matrix products, as kernels/linear/linear.hpp defines them: the whole of what a vendor's BLAS
/// must offer. Everything is asynchronous on exec and allocates nothing.
template <class Exec, class T>
class LinearBackend {
 public:
  virtual ~LinearBackend() = default;

  /// What was chosen, for the log: "strict", "oneMKL".
  virtual std::string description() const = 0;
  /// Elements of workspace that any of the calls below needs.
  virtual std::size_t workspace_size() const = 0;

  /// An empty bias is 0.
  virtual void forward(const Exec& exec, ConstMatrix<T, Exec> src, ConstMatrix<T, Exec> weights,
                       ConstVector<T, Exec> bias, Matrix<T, Exec> dst, Vector<T, Exec> workspace) = 0;
  virtual void backward_data(const Exec& exec, ConstMatrix<T, Exec> diff_dst, ConstMatrix<T, Exec> weights,
                             kernels::ChainStart start, Matrix<T, Exec> diff_src, Vector<T, Exec> workspace) = 0;
  virtual void backward_weights(const Exec& exec, ConstMatrix<T, Exec> src, ConstMatrix<T, Exec> diff_dst,
                                Matrix<T, Exec> diff_weights, Vector<T, Exec> workspace) = 0;
};

/// The first of the ordered list (src/nn/backends/registry.cpp) that takes the problem; the last one takes all.
template <class Exec, class T>
std::unique_ptr<LinearBackend<Exec, T>> make_linear_backend(const LinearProblem& problem, Mode mode);

/// As require_library (mode.hpp), of networks that multiply matrices and convolve nothing, those of texts: on devices.
template <class Exec>
void require_linear_library(Mode mode, const FastOptions& options);

}  // namespace bcr::nn

#endif
