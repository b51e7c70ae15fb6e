#include "src/nn/layers/concatenate.hpp"

#include "kernels/channels/channel_slice.hpp"
#include "src/nn/layer.hpp"

namespace bcr::nn {
namespace {

template <class Exec, class T>
class ConcatenationLayer final : public Layer<Exec, T> {
 public:
  ConcatenationLayer(const OperationWith<Concatenation>& operation, const LayerContext<Exec, T>&) {
    int first = 0;
    for (std::size_t i = 0; i < operation.sources().size(); ++i) {
      first_channel_.push_back(first);
      first += operation.source_shape(i).channels;
    }
  }

  void forward(const Exec& exec, const PassInfo&, const ForwardViews<Exec, T>& views,
               const Workspace<Exec, T>&) override {
    for (std::size_t i = 0; i < first_channel_.size(); ++i)
      kernels::write_channels<Exec, T>(exec, views.src(i), first_channel_[i], views.dst());
  }

  void backward(const Exec& exec, const PassInfo&, const BackwardViews<Exec, T>& views,
                const Workspace<Exec, T>&) override {
    for (std::size_t i = 0; i < first_channel_.size(); ++i)
      if (views.asks_for_diff_src(i))
        kernels::read_channels<Exec, T>(exec, views.diff_dst(), first_channel_[i], views.diff_src_start(i),
                                        views.diff_src(i));
  }

 private:
  std::vector<int> first_channel_;  ///< of each source in the result
};

class ConcatenationOperation final : public OperationOf<Concatenation, ConcatenationLayer> {
 public:
  using OperationOf::OperationOf;
  bool backward_reads_source(std::size_t) const override { return false; }
  bool is_recomputed() const override { return true; }

 protected:
  std::vector<ImageShape> infer() const override {
    require<ShapeError>(!sources().empty(), name(), "at least one source", "none");
    ImageShape result{source_shape().height, source_shape().width, 0};
    for (std::size_t i = 0; i < sources().size(); ++i) {
      const auto& [height, width, channels] = source_shape(i);
      if (height != result.height || width != result.width)
        throw ShapeError(name(), "sources of the size of the first, " + source_shape().text(), source_shape(i).text());
      result.channels += channels;
    }
    return {result};
  }
};

}  // namespace

ValueId concatenate(Graph& graph, std::string name, std::vector<ValueId> sources) {
  return graph.append(std::make_shared<ConcatenationOperation>(std::move(name), std::move(sources), Concatenation{}));
}

}  // namespace bcr::nn
