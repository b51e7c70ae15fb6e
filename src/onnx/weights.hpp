#ifndef BCR_SRC_ONNX_WEIGHTS_HPP
#define BCR_SRC_ONNX_WEIGHTS_HPP

#include "io/hdf5/checkpoint.hpp"

#include <cstddef>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

namespace bcr::onnx {

/// The tensors of a checkpoint by their names in the model. IoErrors for one that is not there or of another shape.
class Weights {
 public:
  /// `checkpoint` must outlive this.
  Weights(const io::Checkpoint& checkpoint, std::string file) : checkpoint_(checkpoint), file_(std::move(file)) {}

  const std::vector<float>& parameter(const std::string& name, const std::initializer_list<int> extents) const {
    return find("parameters/" + name, extents);
  }
  const std::vector<float>& statistic(const std::string& name, const std::initializer_list<int> extents) const {
    return find("statistics/" + name, extents);
  }

 private:
  const std::vector<float>& find(const std::string& name, const std::initializer_list<int> extents) const {
    const std::vector<std::size_t> wanted(extents.begin(), extents.end());
    return checkpoint_.tensor(name, wanted, file_).values;
  }

  const io::Checkpoint& checkpoint_;
  std::string file_;
};

}  // namespace bcr::onnx

#endif
