#ifndef BCR_SRC_NN_OPERATION_HPP
#define BCR_SRC_NN_OPERATION_HPP

#include "kernels/norm/activation.hpp"
#include "src/core/instances.hpp"
#include "src/nn/tensors.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace bcr::nn {

/// The extents of one sample of a batch. A feature vector is an image of 1 x 1 pixels, a sequence of L vectors one of
/// 1 x L pixels, a sequence of tokens the same with one channel.
struct ImageShape {
  int height = 1;
  int width = 1;
  int channels = 1;

  std::size_t pixels() const { return static_cast<std::size_t>(height) * width; }
  std::size_t size() const { return pixels() * channels; }
  /// "[32, 32, 3]", for messages.
  std::string text() const;
  bool operator==(const ImageShape&) const = default;
};

/// What flows between operations: an index into Graph::values().
using ValueId = int;
inline constexpr ValueId no_value = -1;

inline constexpr int no_operation = -1;

struct Value {
  ImageShape shape;
  Element element = Element::real;
  int producer = no_operation;  ///< none: an input of the graph

  bool is_input() const { return producer == no_operation; }
};

using kernels::Activation;

/// How the gradient of a source comes about.
enum class SourceGradient {
  computed,  ///< the backward pass of the operation writes it, or adds to it
  shared,    ///< it is the gradient of the result as the backward pass leaves it, and shares its memory
  none       ///< tokens have none
};

/// What an operation is in an inference pass that runs several at once, as the end of a convolution
/// (kernels/conv/epilogue.hpp): a convolution, its batch norm, and the residual sum if the norm has no activation.
enum class EpilogueRole { none, begins, scales, scales_and_activates, adds };

/// What an operation computes and moves for one sample, as the algorithm is written down.
struct OperationWork {
  double multiply_accumulates = 0;  ///< of a forward pass; the backward pass has twice as many
  double values = 0;                ///< read and written by the forward pass
  double gradients = 0;             ///< gradients and values read and written by the backward pass
  double weights = 0;               ///< parameters of its products, whatever the number of samples
};

template <class Exec, class T>
class Layer;
template <class Exec, class T>
struct LayerContext;

/// One step of a network: all that is known of it before it runs. Who plans memory, fuses or counts asks here and knows
/// no operation by name; a new one is a class of its own beside its layer.
class Operation {
 public:
  Operation(std::string name, std::vector<ValueId> sources) : name_(std::move(name)), sources_(std::move(sources)) {}
  virtual ~Operation() = default;
  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;

  const std::string& name() const noexcept { return name_; }
  const std::vector<ValueId>& sources() const noexcept { return sources_; }
  const std::vector<ValueId>& results() const noexcept { return results_; }
  ValueId source(const std::size_t i = 0) const { return sources_.at(i); }
  ValueId result(const std::size_t i = 0) const { return results_.at(i); }
  const ImageShape& source_shape(const std::size_t i = 0) const { return source_values_.at(i).shape; }
  const ImageShape& result_shape(const std::size_t i = 0) const { return result_shapes_.at(i); }

  virtual Element source_element(std::size_t) const { return Element::real; }
  virtual SourceGradient gradient_of(const std::size_t source) const {
    return source_element(source) == Element::real ? SourceGradient::computed : SourceGradient::none;
  }

  /// What the backward pass reads besides the gradients of the results.
  virtual bool backward_reads_source(std::size_t source) const = 0;
  virtual bool backward_reads_result() const { return false; }
  /// Whether the results are cheaper to compute a second time than to keep until the backward pass.
  virtual bool is_recomputed() const { return false; }

  /// Numbers per sample that a training pass leaves for the backward pass of this operation alone, besides its results.
  virtual std::size_t trace_size() const { return 0; }

  static constexpr int no_source = -1;
  /// The source whose memory the first result takes over if nobody else needs its values.
  virtual int overwrites() const { return no_source; }

  virtual EpilogueRole epilogue_role() const { return EpilogueRole::none; }
  virtual OperationWork work() const { return traffic(); }

#define BCR_INSTANCE(Exec, T) virtual std::unique_ptr<Layer<Exec, T>> make_layer(const LayerContext<Exec, T>&) const = 0;
  BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

 protected:
  /// The shapes of the results from those of the sources; a ShapeError that names the operation if they do not fit.
  virtual std::vector<ImageShape> infer() const = 0;

  /// Sources read and results written once; in the backward pass the gradients of the results and the sources read, the
  /// gradients of the sources written. Nobody asks for the gradient of an input.
  OperationWork traffic() const;

 private:
  friend class Graph;

  std::string name_;
  std::vector<ValueId> sources_;
  std::vector<ValueId> results_;
  std::vector<Value> source_values_;
  std::vector<ImageShape> result_shapes_;
};

/// An operation with its settings.
template <class Settings>
class OperationWith : public Operation {
 public:
  OperationWith(std::string name, std::vector<ValueId> sources, const Settings& settings)
      : Operation(std::move(name), std::move(sources)), settings_(settings) {}

  const Settings& settings() const noexcept { return settings_; }

 private:
  Settings settings_;
};

/// Null if the operation is of another kind.
template <class Settings>
const Settings* settings_of(const Operation& operation) {
  const auto* const same = dynamic_cast<const OperationWith<Settings>*>(&operation);
  return same == nullptr ? nullptr : &same->settings();
}

/// An operation that LayerType<Exec, T>(const OperationWith<Settings>&, const LayerContext<Exec, T>&) runs.
template <class Settings, template <class, class> class LayerType>
class OperationOf : public OperationWith<Settings> {
 public:
  using OperationWith<Settings>::OperationWith;

#define BCR_INSTANCE(Exec, T)                                                                         \
  std::unique_ptr<Layer<Exec, T>> make_layer(const LayerContext<Exec, T>& context) const override {   \
    return std::make_unique<LayerType<Exec, T>>(*this, context);                                      \
  }
  BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE
};

}  // namespace bcr::nn

#endif
