#include "models/model.hpp"

#include "models/backbones/conditioned_decoder.hpp"
#include "src/core/instances.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bcr::models {

nn::Graph make_graph(const ModelOptions& options, const ModelShape& shape) {
  nn::Graph graph = make_backbone(options.backbone, shape.image);
  if (options.decoder.name == DecoderKind::conditioned)
    add_conditioned_decoder(graph, {.width = options.decoder.width, .classes = shape.columns});
  return graph;
}

std::string model_description(const ModelOptions& options, const ModelShape& shape, const int features) {
  const BackboneEntry& backbone = backbones().find(options.backbone.name);
  const std::string name = backbone.variant(options.backbone);
  // How many tokens a document has is not the model's business.
  const std::string input = backbone.input == BackboneInput::tokens
                                ? "texts"
                                : fmt::format("{}x{}x{}", shape.image.height, shape.image.width, shape.image.channels);
  const bool without_bias = options.head.name == "linear" && !options.head.bias;
  const bool decodes = options.decoder.name == DecoderKind::conditioned;
  return fmt::format("{} on {}, {} features, {} head{}, {} outputs{}", name, input, features, options.head.name,
                     without_bias ? " without bias" : "", shape.columns,
                     decodes ? fmt::format(", conditioned decoder of width {}", options.decoder.width) : "");
}

template <class Exec, class T>
Model<Exec, T>::Model(const ModelOptions& options, const ModelShape& shape, const nn::NetworkSettings& settings,
                      const std::uint64_t seed, const Exec& exec, const Log& log, const AddParameters& add_parameters)
    : parameters_(nn::Gradients::kept),
      statistics_(nn::Gradients::none),
      network_(make_graph(options, shape), settings, parameters_, statistics_, exec, log) {
  const int most_images = std::max(settings.training_images, settings.inference_images);
  const std::size_t backbone_tensors = parameters_.slices().size();
  head_ = make_head<Exec, T>(options.head, parameters_, features(), shape.columns, most_images, settings.mode);
  if (add_parameters) add_parameters(parameters_, features());
  parameters_.allocate(exec, seed);
  const auto& slices = parameters_.slices();
  head_begin_ = slices.size() > backbone_tensors ? slices[backbone_tensors].offset : parameters_.values().size();
  statistics_.allocate(exec, seed);
  outputs_ = Matrix<T, Exec>("bcr::models::outputs", most_images, shape.columns);
  description_ = model_description(options, shape, features());
}

template <class Exec, class T>
Matrix<T, Exec> Model<Exec, T>::forward_features(const Exec& exec, const nn::PassInfo& pass,
                                                 const nn::Tensors<Exec, T>& inputs) {
  return network_.forward(exec, pass, inputs).matrix("features");
}

template <class Exec, class T>
Matrix<T, Exec> Model<Exec, T>::forward_head(const Exec& exec, ConstMatrix<T, Exec> features) {
  const Matrix<T, Exec> outputs(outputs_.data(), features.extent(0), outputs_.extent(1));
  head_->forward(exec, features, outputs);
  return outputs;
}

template <class Exec, class T>
nn::Tensors<Exec, T> Model<Exec, T>::forward(const Exec& exec, const nn::PassInfo& pass,
                                             const nn::Tensors<Exec, T>& inputs) {
  nn::Tensors<Exec, T> tensors = network_.forward(exec, pass, inputs);
  tensors.set(output_name(), forward_head(exec, tensors.matrix("features")));
  return tensors;
}

template <class Exec, class T>
void Model<Exec, T>::backward_head(const Exec& exec, ConstMatrix<T, Exec> features, ConstMatrix<T, Exec> diff_outputs,
                                   const kernels::ChainStart start, const int shard) {
  head_->backward(exec, features, diff_outputs, start,
                  network_.diff("features", features.extent(0), shard).matrix());
}

template <class Exec, class T>
void Model<Exec, T>::backward_features(const Exec& exec, const nn::PassInfo& pass, const nn::Tensors<Exec, T>& inputs,
                                       nn::GradientListener* const listener) {
  network_.backward(exec, pass, inputs, listener);
}

template <class Exec, class T>
std::vector<std::string> Model<Exec, T>::tensor_names() const {
  std::vector<std::string> names;
  for (const auto& [name, value] : network_.graph().outputs()) names.push_back(name);
  names.emplace_back(output_name());
  return names;
}

template <class Exec, class T>
bool Model<Exec, T>::has_output(const std::string_view name) const {
  const auto outputs = network_.graph().outputs();
  return std::any_of(outputs.begin(), outputs.end(), [&](const auto& output) { return output.name == name; });
}

template <class Exec, class T>
int Model<Exec, T>::latents() const {
  for (const auto& [name, value] : network_.graph().outputs())
    if (name == "latent") return static_cast<int>(network_.graph().shape(value).size());
  return 0;
}

template <class Exec, class T>
Matrix<T, Exec> Model<Exec, T>::anchors() const {
  if (output_kind() != HeadOutputs::squared_distances) return {};
  const auto& slices = parameters_.slices();
  const auto is_anchors = [](const ParameterSlice& slice) { return slice.group == "anchors"; };
  const auto found = std::find_if(slices.begin(), slices.end(), is_anchors);
  return parameters_.matrix(static_cast<int>(found - slices.begin()));
}

#define BCR_INSTANCE(Exec, T) template class Model<Exec, T>;
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::models
