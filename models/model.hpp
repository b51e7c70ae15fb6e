#ifndef BCR_MODELS_MODEL_HPP
#define BCR_MODELS_MODEL_HPP

#include "models/backbones/registry.hpp"
#include "models/heads/registry.hpp"
#include "src/nn/network.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bcr::models {

/// What reconstructs images from features, beside the head.
enum class DecoderKind {
  none,
  conditioned  ///< for a class (backbones/conditioned_decoder.hpp)
};

constexpr auto enum_names(DecoderKind) {
  using namespace std::string_view_literals;
  return std::array{std::pair{"none"sv, DecoderKind::none}, std::pair{"conditioned"sv, DecoderKind::conditioned}};
}

struct DecoderOptions {
  DecoderKind name = DecoderKind::none;
  int width = 8;
};

template <class V>
void describe(V& v, DecoderOptions& o) {
  v("name", o.name, "none; or conditioned: images from features and a class, the decoder of C2AE");
  v("width", o.width, "factor on its channels", must_be::at_least(1));
}

/// The section [model].
struct ModelOptions {
  BackboneOptions backbone;
  HeadOptions head;
  DecoderOptions decoder{};
};

template <class V>
void describe(V& v, ModelOptions& o) {
  describe(v, o.backbone);
  v("head", o.head, "what follows the features");
  v("decoder", o.decoder, "what reconstructs images from the features");
}

/// What goes into a model and comes out of it.
struct ModelShape {
  nn::ImageShape image;
  int columns = 0;  ///< outputs per image
};

/// The backbone, and the decoder behind it if there is one.
nn::Graph make_graph(const ModelOptions& options, const ModelShape& shape);

/// "wrn-40-2 on 32x32x3, 128 features, distance head, 6 outputs": equal for models whose tensors fit each other.
std::string model_description(const ModelOptions& options, const ModelShape& shape, int features);

/// A backbone and a head with their parameters and running statistics: everything that a checkpoint of a model holds.
/// Parameters are a function of (seed, name, position).
template <class Exec, class T>
class Model {
 public:
  /// Adds parameters that belong to none of the two but are trained with them, those of an objective; is told the number
  /// of features.
  using AddParameters = std::function<void(nn::ParameterStore<Exec, T>&, int features)>;

  Model(const ModelOptions& options, const ModelShape& shape, const nn::NetworkSettings& settings, std::uint64_t seed,
        const Exec& exec, const Log& log, const AddParameters& add_parameters = {});
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  const std::string& description() const noexcept { return description_; }
  int features() const { return network_.features(); }
  int columns() const { return head_->columns(); }
  /// Entries of the output "latent" of the backbone; 0 if it has none.
  int latents() const;
  bool has_output(std::string_view name) const;
  HeadOutputs output_kind() const { return head_->outputs(); }
  /// What the outputs of the head are called among the tensors of a pass: "logits" or "squared_distances".
  std::string_view output_name() const { return kernels::tensor_name(output_kind()); }

  /// From named inputs, or images alone, what the backbone names ("features" [N, n]) and the outputs of the head
  /// [N, columns]; valid until the next pass. Asynchronous on exec.
  nn::Tensors<Exec, T> forward(const Exec& exec, const nn::PassInfo& pass, const nn::Tensors<Exec, T>& inputs);
  /// The same in parts, for those who time them.
  Matrix<T, Exec> forward_features(const Exec& exec, const nn::PassInfo& pass, const nn::Tensors<Exec, T>& inputs);
  Matrix<T, Exec> forward_head(const Exec& exec, ConstMatrix<T, Exec> features);

  /// The gradients of the head and of the features, from dL / d outputs and, for ChainStart::dst, what
  /// network().diff("features", ...) holds. `shard`: of those that the network holds at once.
  void backward_head(const Exec& exec, ConstMatrix<T, Exec> features, ConstMatrix<T, Exec> diff_outputs,
                     kernels::ChainStart start = kernels::ChainStart::zero, int shard = 0);
  /// The gradients of the backbone; follows backward_head. Outputs of the backbone besides the features receive theirs in
  /// network().diff(name, ...).
  void backward_features(const Exec& exec, const nn::PassInfo& pass, const nn::Tensors<Exec, T>& inputs,
                         nn::GradientListener* listener = nullptr);

  nn::ParameterStore<Exec, T>& parameters() noexcept { return parameters_; }
  const nn::ParameterStore<Exec, T>& parameters() const noexcept { return parameters_; }
  const nn::ParameterStore<Exec, T>& statistics() const noexcept { return statistics_; }
  const nn::Network<Exec, T>& network() const noexcept { return network_; }
  nn::Network<Exec, T>& network() noexcept { return network_; }
  /// What a pass gives: the outputs of the backbone, and those of the head under output_name().
  std::vector<std::string> tensor_names() const;
  /// Where the parameters of the head begin in the flat array; they and those added last are its end.
  std::size_t head_begin() const noexcept { return head_begin_; }
  /// [C, n] of a distance head, empty for any other.
  Matrix<T, Exec> anchors() const;

 private:
  nn::ParameterStore<Exec, T> parameters_;
  nn::ParameterStore<Exec, T> statistics_;
  nn::Network<Exec, T> network_;
  std::unique_ptr<Head<Exec, T>> head_;
  std::size_t head_begin_ = 0;
  Matrix<T, Exec> outputs_;
  std::string description_;
};

}  // namespace bcr::models

#endif
