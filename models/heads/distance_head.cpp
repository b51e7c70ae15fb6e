#include "kernels/distance/squared_distance.hpp"
#include "kernels/norm/elementwise.hpp"
#include "models/heads/registry.hpp"

namespace bcr::models {
namespace {

/// outputs(i, c) = ||f_i - mu_c||^2. Parameters: "head.anchors" [C, n], N(0, 1) at start, in the group "anchors", so
/// that they may have a weight decay of their own.
template <class Exec, class T>
class DistanceHead final : public Head<Exec, T> {
 public:
  DistanceHead(nn::ParameterStore<Exec, T>& parameters, const HeadShape& shape)
      : Head<Exec, T>(shape.features, shape.columns), parameters_(parameters), most_rows_(shape.most_rows) {
    anchors_ = parameters.add({.name = "head.anchors",
                               .extents = {std::size_t(shape.columns), std::size_t(shape.features)},
                               .initial = {nn::Fill::normal, 1},
                               .group = "anchors"});
  }

  std::string_view name() const override { return "distance"; }
  HeadOutputs outputs() const override { return HeadOutputs::squared_distances; }

  void forward(const Exec& exec, ConstMatrix<T, Exec> features, Matrix<T, Exec> outputs) override {
    kernels::squared_distance<Exec, T>(exec, features, parameters_.matrix(anchors_), outputs);
  }

  void backward(const Exec& exec, ConstMatrix<T, Exec> features, ConstMatrix<T, Exec> diff_outputs,
                const kernels::ChainStart start, Matrix<T, Exec> diff_features) override {
    const Matrix<T, Exec> anchors = parameters_.matrix(anchors_);
    if (start == kernels::ChainStart::zero) {
      kernels::squared_distance_diff_src<Exec, T>(exec, features, anchors, diff_outputs, diff_features);
    } else {
      add_diff_features(exec, features, anchors, diff_outputs, diff_features);
    }
    kernels::squared_distance_diff_centres<Exec, T>(exec, features, anchors, diff_outputs,
                                                    parameters_.matrix_gradients(anchors_));
  }

 private:
  /// The sum over classes keeps its order, so it is made on its own and added.
  void add_diff_features(const Exec& exec, const ConstMatrix<T, Exec>& features, const Matrix<T, Exec>& anchors,
                         const ConstMatrix<T, Exec>& diff_outputs, const Matrix<T, Exec>& diff_features) {
    if (through_outputs_.extent(0) == 0)
      through_outputs_ = Matrix<T, Exec>("bcr::models::diff_features", most_rows_, this->features());
    const Matrix<T, Exec> through(through_outputs_.data(), features.extent(0), features.extent(1));
    kernels::squared_distance_diff_src<Exec, T>(exec, features, anchors, diff_outputs, through);
    kernels::add<Exec, T>(exec, Vector<T, Exec>(through.data(), through.size()),
                          Vector<T, Exec>(diff_features.data(), diff_features.size()));
  }

  const nn::ParameterStore<Exec, T>& parameters_;
  int anchors_;
  int most_rows_;
  Matrix<T, Exec> through_outputs_;  ///< made when a loss depends on the features directly
};

struct MakeDistanceHead {
  template <class Exec, class T>
  static std::unique_ptr<Head<Exec, T>> make(const HeadOptions&, nn::ParameterStore<Exec, T>& parameters,
                                             const HeadShape& shape, nn::Mode) {
    return std::make_unique<DistanceHead<Exec, T>>(parameters, shape);
  }
};

}  // namespace

HeadEntry distance_head() {
  return {.name = "distance",
          .explanation = "squared distances to trainable anchors, D_c^2 = |f - mu_c|^2",
          .outputs = HeadOutputs::squared_distances,
          .make = PerInstance<HeadMaker>::of<MakeDistanceHead>()};
}

}  // namespace bcr::models
