#ifndef BCR_SRC_NN_PARAMETERS_HPP
#define BCR_SRC_NN_PARAMETERS_HPP

#include "src/core/parameter_slice.hpp"
#include "src/core/views.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bcr::nn {

/// How a parameter begins.
enum class Fill {
  zero,
  one,
  constant,  ///< scale
  normal,  ///< N(0, scale^2)
  uniform  ///< U(-scale, scale)
};

struct Initializer {
  Fill fill = Fill::zero;
  double scale = 1;
  int zero_row = -1;  ///< this row of a matrix is zero whatever the others are; -1: none
};

/// A named tensor in its canonical layout: the one checkpoints hold, whatever a backend prefers.
/// Convolutions: [KH, KW, IC, OC]; matrices of linear layers: [OC, IC]; anchors: [C, n].
struct ParameterSpec {
  std::string name;
  std::vector<std::size_t> extents;
  Initializer initial{};
  std::string group = "default";  ///< of ParameterSlice
};

enum class Gradients { none, kept };

/// Named tensors in one flat array, and their gradients in another of the same layout. Tensors begin at multiples of
/// 64 bytes; the gaps hold zeros and never change. First everything is added, then allocate() is called once.
template <class Exec, class T>
class ParameterStore {
 public:
  explicit ParameterStore(Gradients gradients) : keeps_(gradients) {}

  /// The index of the new tensor. A name that exists is a ConfigError, adding after allocate() a ShapeError.
  int add(ParameterSpec spec);

  /// Allocates and initialises; random values are a function of (seed, name, position) and nothing else.
  void allocate(const Exec& exec, std::uint64_t seed);

  /// What the tensors are, in the order of their numbers, and where they lie.
  const std::vector<ParameterSpec>& specs() const noexcept { return specs_; }
  const std::vector<ParameterSlice>& slices() const noexcept { return slices_; }
  /// Numbers that are in use, without the gaps.
  std::size_t count() const;

  /// Gradients are written here from now on: an array of the size of gradients(). For several shards of a batch.
  void use_gradients(const Vector<T, Exec>& gradients);

  Vector<T, Exec> values() const { return values_; }
  Vector<T, Exec> gradients() const { return gradients_; }
  Vector<T, Exec> values(int id) const { return slice(values_, id); }
  Vector<T, Exec> gradients(int id) const { return slice(gradients_, id); }

  Matrix<T, Exec> matrix(int id) const { return as_matrix(values_, id); }
  Matrix<T, Exec> matrix_gradients(int id) const { return as_matrix(gradients_, id); }
  Tensor4<T, Exec> tensor(int id) const { return as_tensor(values_, id); }
  Tensor4<T, Exec> tensor_gradients(int id) const { return as_tensor(gradients_, id); }

 private:
  Vector<T, Exec> slice(const Vector<T, Exec>& flat, int id) const;
  Matrix<T, Exec> as_matrix(const Vector<T, Exec>& flat, int id) const;
  Tensor4<T, Exec> as_tensor(const Vector<T, Exec>& flat, int id) const;

  Gradients keeps_;
  std::vector<ParameterSpec> specs_;
  std::vector<ParameterSlice> slices_;
  std::size_t size_ = 0;
  Vector<T, Exec> values_;
  Vector<T, Exec> gradients_;
};

}  // namespace bcr::nn

#endif
