#include "src/nn/layers/pool.hpp"

#include "kernels/pool/pool.hpp"
#include "src/nn/layer.hpp"

namespace bcr::nn {
namespace {

template <class Views>
void require_only_consumer(const std::string& name, const Views& views) {
  require<ShapeError>(views.diff_src_start() == kernels::ChainStart::zero, name, "a source without another consumer",
                      "one whose gradient has several parts");
}

template <class Exec, class T>
class MaxPoolLayer final : public Layer<Exec, T> {
 public:
  MaxPoolLayer(const OperationWith<MaxPool>& operation, const LayerContext<Exec, T>&)
      : name_(operation.name()), taps_(operation.settings().taps) {}

  void forward(const Exec& exec, const PassInfo&, const ForwardViews<Exec, T>& views,
               const Workspace<Exec, T>&) override {
    kernels::max_pool_forward<Exec, T>(exec, {.kernel = taps_, .stride = taps_}, views.src(), views.dst());
  }

  void backward(const Exec& exec, const PassInfo&, const BackwardViews<Exec, T>& views,
                const Workspace<Exec, T>&) override {
    if (!views.asks_for_diff_src()) return;
    require_only_consumer(name_, views);
    kernels::max_pool_backward<Exec, T>(exec, {.kernel = taps_, .stride = taps_}, views.src(), views.diff_dst(),
                                        views.diff_src());
  }

 private:
  std::string name_;
  int taps_;
};

class MaxPoolOperation final : public OperationOf<MaxPool, MaxPoolLayer> {
 public:
  using OperationOf::OperationOf;
  bool backward_reads_source(std::size_t) const override { return true; }

 protected:
  std::vector<ImageShape> infer() const override {
    const int taps = settings().taps;
    const auto [height, width, channels] = source_shape();
    if (height % taps != 0 || width % taps != 0)
      throw ShapeError(name(), "a height and width that " + std::to_string(taps) + " divides", source_shape().text());
    return {{height / taps, width / taps, channels}};
  }
};

template <class Exec, class T>
class AveragePoolLayer final : public Layer<Exec, T> {
 public:
  AveragePoolLayer(const OperationWith<AveragePool>& operation, const LayerContext<Exec, T>&)
      : name_(operation.name()), window_(operation.settings().window) {}

  void forward(const Exec& exec, const PassInfo&, const ForwardViews<Exec, T>& views,
               const Workspace<Exec, T>&) override {
    kernels::average_pool_forward<Exec, T>(exec, window_, views.src(), views.dst());
  }

  void backward(const Exec& exec, const PassInfo&, const BackwardViews<Exec, T>& views,
                const Workspace<Exec, T>&) override {
    if (!views.asks_for_diff_src()) return;
    require_only_consumer(name_, views);
    kernels::average_pool_backward<Exec, T>(exec, window_, views.diff_dst(), views.diff_src());
  }

 private:
  std::string name_;
  kernels::PoolWindow window_;
};

class AveragePoolOperation final : public OperationOf<AveragePool, AveragePoolLayer> {
 public:
  using OperationOf::OperationOf;
  bool backward_reads_source(std::size_t) const override { return false; }

 protected:
  std::vector<ImageShape> infer() const override {
    const auto& window = settings().window;
    const auto [height, width, channels] = source_shape();
    const ImageShape dst{window.outputs(height), window.outputs(width), channels};
    if (dst.size() == 0) throw ShapeError(name(), "images larger than the window", source_shape().text());
    return {dst};
  }
};

template <class Exec, class T>
class GlobalAveragePoolLayer final : public Layer<Exec, T> {
 public:
  GlobalAveragePoolLayer(const OperationWith<GlobalAveragePool>& operation, const LayerContext<Exec, T>&)
      : name_(operation.name()) {}

  void forward(const Exec& exec, const PassInfo&, const ForwardViews<Exec, T>& views,
               const Workspace<Exec, T>&) override {
    kernels::global_average_pool_forward<Exec, T>(exec, views.src(), as_images<Exec, T>(views.dst()));
  }

  void backward(const Exec& exec, const PassInfo&, const BackwardViews<Exec, T>& views,
                const Workspace<Exec, T>&) override {
    if (!views.asks_for_diff_src()) return;
    require_only_consumer(name_, views);
    kernels::global_average_pool_backward<Exec, T>(exec, as_images<Exec, T>(views.diff_dst()), views.diff_src());
  }

 private:
  std::string name_;
};

class GlobalAveragePoolOperation final : public OperationOf<GlobalAveragePool, GlobalAveragePoolLayer> {
 public:
  using OperationOf::OperationOf;
  bool backward_reads_source(std::size_t) const override { return false; }

 protected:
  std::vector<ImageShape> infer() const override { return {{1, 1, source_shape().channels}}; }
};

}  // namespace

ValueId max_pool(Graph& graph, std::string name, const ValueId src, const MaxPool& settings) {
  return graph.append(std::make_shared<MaxPoolOperation>(std::move(name), std::vector{src}, settings));
}

ValueId average_pool(Graph& graph, std::string name, const ValueId src, const AveragePool& settings) {
  return graph.append(std::make_shared<AveragePoolOperation>(std::move(name), std::vector{src}, settings));
}

ValueId global_average_pool(Graph& graph, std::string name, const ValueId src) {
  return graph.append(
      std::make_shared<GlobalAveragePoolOperation>(std::move(name), std::vector{src}, GlobalAveragePool{}));
}

}  // namespace bcr::nn
