#include "models/heads/distance_head.hpp"

#include "kernels/distance/squared_distance.hpp"
#include "src/core/instances.hpp"

namespace bcr::models {

template <class Exec, class T>
DistanceHead<Exec, T>::DistanceHead(nn::ParameterStore<Exec, T>& parameters, const int features, const int classes)
    : Head<Exec, T>(features, classes), parameters_(parameters) {
  anchors_ = parameters.add({.name = "head.anchors",
                             .extents = {std::size_t(classes), std::size_t(features)},
                             .initial = {nn::Fill::normal, 1},
                             .group = "anchors"});
}

template <class Exec, class T>
void DistanceHead<Exec, T>::forward(const Exec& exec, ConstMatrix<T, Exec> features, Matrix<T, Exec> outputs) {
  kernels::squared_distance<Exec, T>(exec, features, parameters_.matrix(anchors_), outputs);
}

template <class Exec, class T>
void DistanceHead<Exec, T>::backward(const Exec& exec, ConstMatrix<T, Exec> features,
                                     ConstMatrix<T, Exec> diff_outputs, ConstVector<T, Exec> diff_features_factor,
                                     Matrix<T, Exec> diff_features) {
  require<ShapeError>(diff_features_factor.extent(0) == 0, "DistanceHead::backward", "a loss of the distances alone",
                      "a factor of the features");
  const Matrix<T, Exec> anchors = parameters_.matrix(anchors_);
  kernels::squared_distance_diff_src<Exec, T>(exec, features, anchors, diff_outputs, diff_features);
  kernels::squared_distance_diff_centres<Exec, T>(exec, features, anchors, diff_outputs,
                                                  parameters_.matrix_gradients(anchors_));
}

#define BCR_INSTANCE(Exec, T) template class DistanceHead<Exec, T>;
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::models
