#include "src/nn/layers/embedding.hpp"

#include "kernels/embedding/embedding.hpp"
#include "src/nn/layer.hpp"

namespace bcr::nn {
namespace {

template <class Exec, class T>
class EmbeddingLayer final : public Layer<Exec, T> {
 public:
  EmbeddingLayer(const OperationWith<Embedding>& operation, const LayerContext<Exec, T>& context)
      : parameters_(context.parameters),
        padding_(operation.settings().padding),
        steps_(operation.source_shape().width) {
    const Embedding& settings = operation.settings();
    Initializer initial = settings.initial;
    initial.zero_row = settings.padding;
    table_ = context.parameters.add(
        {.name = operation.name() + ".table",
         .extents = {static_cast<std::size_t>(settings.vocabulary), static_cast<std::size_t>(settings.channels)},
         .initial = initial});
  }

  WorkspaceSize workspace_size(const int most_images) const override {
    return {.indices = kernels::embedding_workspace_size(static_cast<std::size_t>(most_images) * steps_)};
  }

  void forward(const Exec& exec, const PassInfo&, const ForwardViews<Exec, T>& views,
               const Workspace<Exec, T>&) override {
    kernels::embedding_forward<Exec, T>(exec, views.tokens(0), parameters_.matrix(table_),
                                        as_rows<Exec, T>(views.dst()));
  }

  void backward(const Exec& exec, const PassInfo&, const BackwardViews<Exec, T>& views,
                const Workspace<Exec, T>& workspace) override {
    kernels::embedding_backward<Exec, T>(exec, views.tokens(0), as_rows<Exec, T>(views.diff_dst()), padding_,
                                         parameters_.matrix_gradients(table_), workspace.indices);
  }

 private:
  const ParameterStore<Exec, T>& parameters_;
  std::int32_t padding_;
  int steps_;
  int table_ = 0;
};

class EmbeddingOperation final : public OperationOf<Embedding, EmbeddingLayer> {
 public:
  using OperationOf::OperationOf;

  Element source_element(std::size_t) const override { return Element::token; }
  bool backward_reads_source(std::size_t) const override { return true; }

 protected:
  std::vector<ImageShape> infer() const override {
    const ImageShape& tokens = source_shape();
    require<ShapeError>(tokens.height == 1 && tokens.channels == 1, name(), "tokens of shape [1, L, 1]", tokens.text());
    require<ShapeError>(settings().vocabulary > 0 && settings().channels > 0, name(), "a table of positive extents",
                        std::to_string(settings().vocabulary) + " x " + std::to_string(settings().channels));
    require<ShapeError>(settings().padding < settings().vocabulary, name(), "a padding token of the vocabulary",
                        std::to_string(settings().padding));
    return {{1, tokens.width, settings().channels}};
  }
};

}  // namespace

ValueId embedding(Graph& graph, std::string name, const ValueId tokens, const Embedding& settings) {
  return graph.append(std::make_shared<EmbeddingOperation>(std::move(name), std::vector{tokens}, settings));
}

}  // namespace bcr::nn
