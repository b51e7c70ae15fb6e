#include "kernels/distance/squared_distance.hpp"
#include "kernels/softmax/row_softmax.hpp"
#include "src/core/instances.hpp"
#include "src/identity/digest.hpp"
#include "src/identity/inputs.hpp"
#include "src/identity/subject.hpp"

namespace bcr::identity {
namespace {

/// Like features and anchors: of order one, both signs.
template <class T>
T coordinate(Random& random) {
  return uniform_between<T>(random, T(-2), T(2));
}

/// Odd sizes leave a rest in every blocking, and there is more than one chunk of every sum.
template <class Exec, class T>
struct Problem {
  static constexpr int rows = 141, classes = 137, dimensions = 131;
  Matrix<T, Exec> src, centres, distances;

  explicit Problem(const Exec& exec)
      : src(matrix_input<T>(exec, "identity/features", rows, dimensions, coordinate<T>)),
        centres(matrix_input<T>(exec, "identity/anchors", classes, dimensions, coordinate<T>)),
        distances("bcr::identity::distances", rows, classes) {
    kernels::squared_distance(exec, src, centres, distances);
  }
};

template <class Exec, class T>
std::string forward_digest(const Exec& exec) {
  return digest_of(exec, Problem<Exec, T>(exec).distances);
}

template <class Exec, class T>
std::string nearest_digest(const Exec& exec) {
  const Problem<Exec, T> problem(exec);
  const Labels<Exec> index("bcr::identity::index", Problem<Exec, T>::rows);
  const Vector<T, Exec> value("bcr::identity::value", Problem<Exec, T>::rows);
  kernels::nearest(exec, problem.distances, index, value);
  return digest_of(exec, index, value);
}

template <class Exec, class T>
std::string gradient_digest(const Exec& exec) {
  using Sizes = Problem<Exec, T>;
  const Sizes problem(exec);
  const auto diff_dst = matrix_input<T>(exec, "identity/diff_dst", Sizes::rows, Sizes::classes, coordinate<T>);
  const Matrix<T, Exec> diff_src("bcr::identity::diff_src", Sizes::rows, Sizes::dimensions);
  const Matrix<T, Exec> diff_centres("bcr::identity::diff_centres", Sizes::classes, Sizes::dimensions);
  kernels::squared_distance_diff_src(exec, problem.src, problem.centres, diff_dst, diff_src);
  kernels::squared_distance_diff_centres(exec, problem.src, problem.centres, diff_dst, diff_centres);
  return digest_of(exec, diff_src, diff_centres);
}

/// Rows of more than two chunks, with values like squared distances.
template <class Exec, class T>
std::string softmax_digest(const Exec& exec) {
  constexpr int rows = 7, classes = 2501;
  const auto distances = matrix_input<T>(exec, "identity/softmax", rows, classes,
                                         [](Random& random) { return uniform_between<T>(random, T(100), T(180)); });
  const Matrix<T, Exec> probabilities("bcr::identity::probabilities", rows, classes);
  const Vector<T, Exec> log_sum_exp("bcr::identity::log_sum_exp", rows);
  kernels::row_softmax(exec, distances, T(-1), probabilities, log_sum_exp);
  return digest_of(exec, probabilities, log_sum_exp);
}

template <class Exec, class T>
void add_for(std::vector<Subject<Exec>>& subjects) {
  const std::string type(element_type_name<T>());
  subjects.push_back({"distance.forward." + type, forward_digest<Exec, T>});
  subjects.push_back({"distance.nearest." + type, nearest_digest<Exec, T>});
  subjects.push_back({"distance.gradients." + type, gradient_digest<Exec, T>});
  subjects.push_back({"softmax." + type, softmax_digest<Exec, T>});
}

}  // namespace

template <class Exec>
void add_distance_subjects(std::vector<Subject<Exec>>& subjects) {
  add_for<Exec, float>(subjects);
  add_for<Exec, double>(subjects);
}

#define BCR_INSTANCE(Exec) template void add_distance_subjects<Exec>(std::vector<Subject<Exec>>&);
BCR_FOR_EACH_EXEC(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::identity
