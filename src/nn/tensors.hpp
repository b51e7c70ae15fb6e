#ifndef BCR_SRC_NN_TENSORS_HPP
#define BCR_SRC_NN_TENSORS_HPP

#include "src/core/views.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bcr::nn {

/// What a value is made of: numbers with gradients, or integers without.
enum class Element { real, token };

/// Token t of sample i: [N, L].
template <class Exec>
using Tokens = Matrix<std::int32_t, Exec>;

/// The values of a batch, one row per sample: real [N, H, W, C], or tokens. A matrix [N, n] is images of 1 x 1 pixels.
/// Points at memory of others.
template <class Exec, class T>
class Tensor {
 public:
  Tensor() = default;
  Tensor(const Tensor4<T, Exec>& images) : images_(images) {}
  Tensor(const Matrix<T, Exec>& rows) : images_(rows.data(), rows.extent(0), 1, 1, rows.extent(1)) {}
  Tensor(const Tokens<Exec>& tokens) : element_(Element::token), tokens_(tokens) {}

  Element element() const noexcept { return element_; }
  std::size_t rows() const { return element_ == Element::real ? images_.extent(0) : tokens_.extent(0); }
  bool is_empty() const { return images_.data() == nullptr && tokens_.data() == nullptr; }

  Tensor4<T, Exec> images() const { return images_; }
  /// [N, H W C].
  Matrix<T, Exec> matrix() const {
    return Matrix<T, Exec>(images_.data(), images_.extent(0), images_.extent(1) * images_.extent(2) * images_.extent(3));
  }
  Tokens<Exec> tokens() const { return tokens_; }

 private:
  Element element_ = Element::real;
  Tensor4<T, Exec> images_;
  Tokens<Exec> tokens_;
};

/// Tensors by name: what goes into a network ("images", "tokens", and "labels" of the known samples if an operation asks
/// for them) and what comes out of a model ("features", "logits", "squared_distances", "reconstruction", ...).
template <class Exec, class T>
class Tensors {
 public:
  using Entry = std::pair<std::string, Tensor<Exec, T>>;

  Tensors() = default;
  /// The common case: a batch of images, under the name "images".
  Tensors(const Tensor4<T, Exec>& images) { set("images", images); }

  /// In place of what had this name.
  void set(const std::string_view name, const Tensor<Exec, T>& tensor) {
    for (Entry& entry : entries_) {
      if (entry.first != name) continue;
      entry.second = tensor;
      return;
    }
    entries_.emplace_back(name, tensor);
  }

  bool contains(const std::string_view name) const {
    return std::ranges::any_of(entries_, [&](const Entry& entry) { return entry.first == name; });
  }
  const std::vector<Entry>& entries() const noexcept { return entries_; }

  /// A ShapeError that lists the names if there is none of this name, or if it is not of this element type.
  const Tensor<Exec, T>& at(const std::string_view name, const Element element) const {
    std::string names;
    for (const Entry& entry : entries_) {
      if (entry.first == name) {
        require<ShapeError>(entry.second.element() == element, entry.first, kind(element), kind(entry.second.element()));
        return entry.second;
      }
      names += (names.empty() ? "" : ", ") + entry.first;
    }
    throw ShapeError("Tensors", "a tensor named '" + std::string(name) + '\'', names.empty() ? "none" : names);
  }
  Tensor4<T, Exec> images(const std::string_view name) const { return at(name, Element::real).images(); }
  Matrix<T, Exec> matrix(const std::string_view name) const { return at(name, Element::real).matrix(); }
  Tokens<Exec> tokens(const std::string_view name) const { return at(name, Element::token).tokens(); }

 private:
  static std::string_view kind(const Element element) {
    return element == Element::real ? "real numbers" : "integer tokens";
  }

  std::vector<Entry> entries_;  // a handful: looked up in order
};

}  // namespace bcr::nn

#endif
