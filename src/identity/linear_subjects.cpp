#include "kernels/linear/linear.hpp"
#include "src/core/instances.hpp"
#include "src/identity/digest.hpp"
#include "src/identity/inputs.hpp"
#include "src/identity/subject.hpp"

namespace bcr::identity {
namespace {

constexpr int rows = 137, classes = 43, dimensions = 67;

template <class Exec, class T>
Matrix<T, Exec> make_features(const Exec& exec) {
  return matrix_input<T>(exec, "identity/loss_features", rows, dimensions,
                         [](Random& random) { return uniform_between<T>(random, T(-1), T(1)); });
}

template <class Exec, class T>
std::string linear_digest(const Exec& exec) {
  const auto src = make_features<Exec, T>(exec);
  const auto weights = matrix_input<T>(exec, "identity/linear_weights", classes, dimensions,
                                       [](Random& random) { return uniform_between<T>(random, T(-1), T(1)); });
  const auto diff_dst = matrix_input<T>(exec, "identity/logits", rows, classes,
                                        [](Random& random) { return uniform_between<T>(random, T(-8), T(8)); });
  const Vector<T, Exec> bias = Kokkos::subview(make_features<Exec, T>(exec), 0, Kokkos::pair(0, classes));
  const Vector<T, Exec> workspace("bcr::identity::workspace",
                                  kernels::linear_workspace_size<Exec, T>(rows, classes, dimensions));
  const Matrix<T, Exec> dst("bcr::identity::dst", rows, classes);
  const Matrix<T, Exec> diff_src("bcr::identity::diff_src", rows, dimensions);
  const Matrix<T, Exec> diff_weights("bcr::identity::diff_weights", classes, dimensions);
  const Vector<T, Exec> diff_bias("bcr::identity::diff_bias", classes);
  kernels::linear_forward<Exec, T>(exec, src, weights, bias, dst, workspace);
  kernels::linear_backward_data<Exec, T>(exec, diff_dst, weights, diff_src, kernels::ChainStart::zero, workspace);
  kernels::linear_backward_weights<Exec, T>(exec, src, diff_dst, diff_weights, workspace);
  kernels::linear_backward_bias<Exec, T>(exec, diff_dst, diff_bias);
  return digest_of(exec, dst, diff_src, diff_weights, diff_bias);
}

}  // namespace

template <class Exec>
void add_linear_subjects(std::vector<Subject<Exec>>& subjects) {
  subjects.push_back({"linear.float32", linear_digest<Exec, float>});
  subjects.push_back({"linear.float64", linear_digest<Exec, double>});
}

#define BCR_INSTANCE(Exec) template void add_linear_subjects<Exec>(std::vector<Subject<Exec>>&);
BCR_FOR_EACH_EXEC(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::identity
