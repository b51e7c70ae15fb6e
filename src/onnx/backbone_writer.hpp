#ifndef BCR_SRC_ONNX_BACKBONE_WRITER_HPP
#define BCR_SRC_ONNX_BACKBONE_WRITER_HPP

#include "src/nn/layers/add.hpp"
#include "src/nn/layers/batch_norm.hpp"
#include "src/nn/layers/concatenate.hpp"
#include "src/nn/layers/convolution.hpp"
#include "src/nn/layers/curves.hpp"
#include "src/nn/layers/dropout.hpp"
#include "src/nn/layers/embedding.hpp"
#include "src/nn/layers/gru.hpp"
#include "src/nn/layers/linear.hpp"
#include "src/nn/layers/pool.hpp"
#include "src/onnx/graph_writer.hpp"
#include "src/onnx/weights.hpp"

#include <map>
#include <string>
#include <vector>

namespace bcr::onnx {

/// Writes the operations of a network that its output "features" needs, as an inference pass computes them: running
/// statistics, no dropout. A batch norm behind a convolution that nobody else reads becomes part of its weights and
/// bias, in double; another one is a product and a sum. Images are [N, C, H, W] here, vectors
/// [N, n], sequences [N, L, n].
class BackboneWriter {
 public:
  BackboneWriter(GraphWriter& file, const nn::Graph& graph, const Weights& weights);

  /// From the input of the graph under this name, to the name of the features [N, n]. A ConfigError that names an
  /// operation which cannot be expressed.
  std::string write(const std::string& input);

 private:
  using Operation = nn::Operation;

  /// The product and the sum that a batch norm is at inference.
  struct Affine {
    std::vector<float> scale, shift;
  };

  template <class Settings>
  bool try_as(const Operation& operation);
  void write(const Operation& operation);
  std::string write_as(const Operation& operation, const nn::Convolution& settings);
  std::string write_as(const Operation& operation, const nn::BatchNorm& settings);
  std::string write_as(const Operation& operation, const nn::Add& settings);
  std::string write_as(const Operation& operation, const nn::Relu& settings);
  std::string write_as(const Operation& operation, const nn::Dropout& settings);
  std::string write_as(const Operation& operation, const nn::Concatenation& settings);
  std::string write_as(const Operation& operation, const nn::MaxPool& settings);
  std::string write_as(const Operation& operation, const nn::AveragePool& settings);
  std::string write_as(const Operation& operation, const nn::GlobalAveragePool& settings);
  std::string write_as(const Operation& operation, const nn::Linear& settings);
  std::string write_as(const Operation& operation, const nn::Embedding& settings);
  std::string write_as(const Operation& operation, const nn::Gru& settings);

  void find_needed();
  void find_folded();
  Affine affine(const Operation& norm) const;
  std::string activated(const std::string& name, const std::string& value, nn::Activation activation);
  /// A value as a matrix [N, n]: of an image channel by channel.
  std::string flat(nn::ValueId value);
  const std::string& name(const Operation& operation, std::size_t source = 0) const;

  GraphWriter& file_;
  const nn::Graph& graph_;
  const Weights& weights_;
  std::vector<bool> needed_;                        ///< of each value
  std::map<nn::ValueId, const Operation*> folded_;  ///< the batch norm behind a convolution, by the result of that
  std::vector<std::string> names_;                  ///< of each value
  std::vector<bool> is_matrix_;  ///< of each value: [N, n] and not [N, n, 1, 1]
};

}  // namespace bcr::onnx

#endif
