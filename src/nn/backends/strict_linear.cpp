#include "src/nn/backends/backends.hpp"

#include "kernels/linear/linear.hpp"
#include "src/core/instances.hpp"

namespace bcr::nn {
namespace {

template <class Exec, class T>
class StrictLinear : public LinearBackend<Exec, T> {
 public:
  explicit StrictLinear(const LinearProblem& problem)
      : workspace_size_(kernels::linear_workspace_size<Exec, T>(problem.most_rows, problem.outputs, problem.inputs)) {}

  std::string description() const override { return "strict"; }
  std::size_t workspace_size() const override { return workspace_size_; }

  void forward(const Exec& exec, const ConstMatrix<T, Exec> src, const ConstMatrix<T, Exec> weights,
               const ConstVector<T, Exec> bias, const Matrix<T, Exec> dst, const Vector<T, Exec> workspace) override {
    kernels::linear_forward<Exec, T>(exec, src, weights, bias, dst, workspace);
  }
  void backward_data(const Exec& exec, const ConstMatrix<T, Exec> diff_dst, const ConstMatrix<T, Exec> weights,
                     const kernels::ChainStart start, const Matrix<T, Exec> diff_src,
                     const Vector<T, Exec> workspace) override {
    kernels::linear_backward_data<Exec, T>(exec, diff_dst, weights, diff_src, start, workspace);
  }
  void backward_weights(const Exec& exec, const ConstMatrix<T, Exec> src, const ConstMatrix<T, Exec> diff_dst,
                        const Matrix<T, Exec> diff_weights, const Vector<T, Exec> workspace) override {
    kernels::linear_backward_weights<Exec, T>(exec, src, diff_dst, diff_weights, workspace);
  }

 private:
  std::size_t workspace_size_;
};

}  // namespace

template <class Exec, class T>
std::unique_ptr<LinearBackend<Exec, T>> make_strict_linear(const LinearProblem& problem) {
  return std::make_unique<StrictLinear<Exec, T>>(problem);
}

#define BCR_INSTANCE(Exec, T) \
  template std::unique_ptr<LinearBackend<Exec, T>> make_strict_linear<Exec, T>(const LinearProblem&);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::nn
