#include "src/nn/layers/gaussian.hpp"

#include "kernels/gaussian/gaussian.hpp"
#include "src/nn/layer.hpp"

namespace bcr::nn {
namespace {

kernels::GaussianNoise noise_of(const PassInfo& pass, const std::string& name, const std::size_t coordinates) {
  return {.drawn = pass.phase == Phase::training,
          .seed = pass.seed,
          .stream = Stream("gaussian/" + name),
          .step = pass.step,
          .numbers = pass.numbers(coordinates)};
}

/// d of a vector of 2 d numbers.
int coordinates_of(const std::string& name, const ImageShape& src) {
  if (src.pixels() != 1 || src.channels % 2 != 0)
    throw ShapeError(name, "means and as many numbers for variances", src.text());
  return src.channels / 2;
}

template <class Exec, class T>
class GaussianSampleLayer final : public Layer<Exec, T> {
 public:
  GaussianSampleLayer(const OperationWith<GaussianSample>& operation, const LayerContext<Exec, T>&)
      : name_(operation.name()), coordinates_(operation.result_shape().size()) {}

  void forward(const Exec& exec, const PassInfo& pass, const ForwardViews<Exec, T>& views,
               const Workspace<Exec, T>&) override {
    kernels::gaussian_sample<Exec, T>(exec, as_images<Exec, T>(views.src()), noise_of(pass, name_, coordinates_),
                                      as_images<Exec, T>(views.dst()));
  }

  void backward(const Exec& exec, const PassInfo& pass, const BackwardViews<Exec, T>& views,
                const Workspace<Exec, T>&) override {
    if (!views.asks_for_diff_src()) return;
    kernels::gaussian_sample_backward<Exec, T>(
        exec, as_images<Exec, T>(views.src()), noise_of(pass, name_, coordinates_),
        as_images<Exec, T>(views.diff_dst()), views.diff_src_start(), as_images<Exec, T>(views.diff_src()));
  }

 private:
  std::string name_;
  std::size_t coordinates_;
};

class GaussianSampleOperation final : public OperationOf<GaussianSample, GaussianSampleLayer> {
 public:
  using OperationOf::OperationOf;
  bool backward_reads_source(std::size_t) const override { return true; }

 protected:
  std::vector<ImageShape> infer() const override { return {{1, 1, coordinates_of(name(), source_shape())}}; }
};

template <class Exec, class T>
class GaussianJoinLayer final : public Layer<Exec, T> {
 public:
  GaussianJoinLayer(const OperationWith<GaussianJoin>& operation, const LayerContext<Exec, T>&)
      : name_(operation.name()), coordinates_(operation.result_shape().size()) {}

  void forward(const Exec& exec, const PassInfo& pass, const ForwardViews<Exec, T>& views,
               const Workspace<Exec, T>&) override {
    kernels::gaussian_join<Exec, T>(exec, as_images<Exec, T>(views.src(0)), as_images<Exec, T>(views.src(1)),
                                    noise_of(pass, name_, coordinates_), as_images<Exec, T>(views.dst(0)),
                                    flat<Exec, T>(views.dst(1)));
  }

  void backward(const Exec& exec, const PassInfo& pass, const BackwardViews<Exec, T>& views,
                const Workspace<Exec, T>&) override {
    require<ShapeError>(views.asks_for_diff_src(0) && views.asks_for_diff_src(1), name_,
                        "two values that were computed", "an input of the graph");
    const auto gradient = [&](const std::size_t source) {
      return kernels::GaussianGradient<Exec, T>{views.diff_src_start(source),
                                                as_images<Exec, T>(views.diff_src(source))};
    };
    kernels::gaussian_join_backward<Exec, T>(
        exec, as_images<Exec, T>(views.src(0)), as_images<Exec, T>(views.src(1)), noise_of(pass, name_, coordinates_),
        as_images<Exec, T>(views.diff_dst(0)), flat<Exec, T>(views.diff_dst(1)), gradient(0), gradient(1));
  }

 private:
  std::string name_;
  std::size_t coordinates_;
};

class GaussianJoinOperation final : public OperationOf<GaussianJoin, GaussianJoinLayer> {
 public:
  using OperationOf::OperationOf;
  bool backward_reads_source(std::size_t) const override { return true; }

 protected:
  std::vector<ImageShape> infer() const override {
    const int coordinates = coordinates_of(name(), source_shape());
    if (source_shape(1) != source_shape())
      throw ShapeError(name(), "two Gaussians of " + source_shape().text(), source_shape(1).text());
    return {{1, 1, coordinates}, {1, 1, 1}};
  }
};

}  // namespace

ValueId gaussian_sample(Graph& graph, std::string name, const ValueId src) {
  return graph.append(std::make_shared<GaussianSampleOperation>(std::move(name), std::vector{src}, GaussianSample{}));
}

JoinedValues gaussian_join(Graph& graph, std::string name, const ValueId up, const ValueId down) {
  require<ShapeError>(up != down, name, "two Gaussians", "one twice");
  const ValueId sample =
      graph.append(std::make_shared<GaussianJoinOperation>(std::move(name), std::vector{up, down}, GaussianJoin{}));
  return {sample, graph.operations().back()->result(1)};
}

}  // namespace bcr::nn
