#include "src/nn/layers/film.hpp"

#include "kernels/film/film.hpp"
#include "src/nn/layer.hpp"

namespace bcr::nn {
namespace {

template <class Exec, class T>
class FilmLayer final : public Layer<Exec, T> {
 public:
  FilmLayer(const OperationWith<Film>& operation, const LayerContext<Exec, T>& context)
      : store_(context.parameters),
        settings_(operation.settings()),
        features_(operation.source_shape().size()),
        stream_("film/" + operation.name()) {
    const auto classes = static_cast<std::size_t>(settings_.classes);
    const auto add = [&](const char* const part, const std::vector<std::size_t>& extents) {
      return context.parameters.add(
          {.name = operation.name() + part, .extents = extents, .initial = settings_.initial});
    };
    factor_weights_ = add(".factor.weights", {features_, classes});
    factor_bias_ = add(".factor.bias", {features_});
    shift_weights_ = add(".shift.weights", {features_, classes});
    shift_bias_ = add(".shift.bias", {features_});
  }

  WorkspaceSize workspace_size(const int most_images) const override {
    return {.sums = kernels::film_sums(features_, static_cast<std::size_t>(settings_.classes)),
            .indices = static_cast<std::size_t>(most_images) * static_cast<std::size_t>(settings_.conditions)};
  }

  void forward(const Exec& exec, const PassInfo& pass, const ForwardViews<Exec, T>& views,
               const Workspace<Exec, T>& workspace) override {
    const auto src = as_images<Exec, T>(views.src());
    const auto conditions = this->conditions(exec, pass, views.labels, src.extent(0), workspace);
    kernels::film_forward<Exec, T>(exec, src, conditions, values(), as_rows<Exec, T>(views.dst()));
  }

  void backward(const Exec& exec, const PassInfo& pass, const BackwardViews<Exec, T>& views,
                const Workspace<Exec, T>& workspace) override {
    const auto src = as_images<Exec, T>(views.src());
    const auto diff = as_rows<Exec, T>(views.diff_dst());
    const auto conditions = this->conditions(exec, pass, views.labels, src.extent(0), workspace);
    if (views.learns)
      kernels::film_backward_parameters<Exec, T>(exec, src, conditions, diff, workspace.sums, gradients());
    if (views.asks_for_diff_src())
      kernels::film_backward_source<Exec, T>(exec, conditions, values(), diff, views.diff_src_start(),
                                             as_images<Exec, T>(views.diff_src()));
  }

 private:
  Matrix<std::int32_t, Exec> conditions(const Exec& exec, const PassInfo& pass, const ConstLabels<Exec>& labels,
                                        const std::size_t samples, const Workspace<Exec, T>& workspace) const {
    const Matrix<std::int32_t, Exec> chosen(workspace.indices.data(), samples,
                                            static_cast<std::size_t>(settings_.conditions));
    kernels::choose_conditions<Exec>(exec,
                                     {.classes = settings_.classes,
                                      .first = pass.first_condition,
                                      .drawn = pass.phase == Phase::training,
                                      .seed = pass.seed,
                                      .stream = stream_,
                                      .step = pass.step,
                                      .numbers = pass.numbers(1)},
                                     labels, chosen);
    return chosen;
  }
  kernels::FilmParameters<Exec, T> values() const {
    return {store_.matrix(factor_weights_), store_.values(factor_bias_), store_.matrix(shift_weights_),
            store_.values(shift_bias_)};
  }
  kernels::FilmParameters<Exec, T> gradients() const {
    return {store_.matrix_gradients(factor_weights_), store_.gradients(factor_bias_),
            store_.matrix_gradients(shift_weights_), store_.gradients(shift_bias_)};
  }

  const ParameterStore<Exec, T>& store_;
  Film settings_;
  std::size_t features_;
  Stream stream_;
  int factor_weights_ = 0;
  int factor_bias_ = 0;
  int shift_weights_ = 0;
  int shift_bias_ = 0;
};

class FilmOperation final : public OperationOf<Film, FilmLayer> {
 public:
  using OperationOf::OperationOf;
  bool backward_reads_source(std::size_t) const override { return true; }

 protected:
  std::vector<ImageShape> infer() const override {
    const ImageShape& src = source_shape();
    require<ShapeError>(src.pixels() == 1, name(), "one feature vector per sample", src.text());
    require<ShapeError>(settings().classes > 0 && settings().conditions > 0, name(), "a class and a condition",
                        std::to_string(settings().classes) + " and " + std::to_string(settings().conditions));
    return {{settings().conditions, 1, src.channels}};
  }
};

}  // namespace

ValueId film(Graph& graph, std::string name, const ValueId src, const Film& settings) {
  return graph.append(std::make_shared<FilmOperation>(std::move(name), std::vector{src}, settings));
}

}  // namespace bcr::nn
