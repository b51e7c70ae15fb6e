#ifndef BCR_SRC_ONNX_GRAPH_WRITER_HPP
#define BCR_SRC_ONNX_GRAPH_WRITER_HPP

#include "src/onnx/message.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace bcr::onnx {

/// What our files are written in: the operators of ai.onnx, set 17, and the format of release 1.12.
inline constexpr std::int64_t operator_set = 17;
inline constexpr std::int64_t format_version = 8;

/// Numbers as TensorProto.DataType has them.
enum class Element { float32 = 1, uint8 = 2, int64 = 7, boolean = 9, float64 = 11 };

/// An extent that is decided when the graph runs, the number of samples.
inline constexpr std::int64_t any_batch = -1;

struct Attribute {
  std::string name;
  std::variant<std::int64_t, std::vector<std::int64_t>> value;
};
using Attributes = std::vector<Attribute>;

/// An ONNX model under construction: nodes in the order in which they run, values known by their names. Nothing here
/// knows of networks.
class GraphWriter {
 public:
  void add_input(std::string_view name, Element element, std::span<const std::int64_t> extents);
  /// A value that some node makes.
  void add_output(std::string_view name, Element element, std::span<const std::int64_t> extents);

  /// A node of this name with a result of the same name, which is returned.
  std::string add(std::string_view op, const std::string& name, const std::vector<std::string>& sources,
                  const Attributes& attributes = {});
  /// The same where a node has several results; "" is one that nobody wants.
  void add_node(std::string_view op, const std::string& name, const std::vector<std::string>& sources,
                const std::vector<std::string>& results, const Attributes& attributes);

  /// A constant; its name.
  std::string constant(const std::string& name, std::span<const std::int64_t> extents, std::span<const float> values);
  std::string constant(const std::string& name, std::span<const std::int64_t> extents, std::span<const double> values);
  std::string constant(const std::string& name, std::span<const std::int64_t> extents,
                       std::span<const std::int64_t> values);
  /// Of a single number.
  template <class T>
  std::string scalar(const std::string& name, const T value) {
    return constant(name, {}, std::span<const T>(&value, 1));
  }
  /// A list of positions: axes, starts, ends.
  std::string list(const std::string& name, const std::vector<std::int64_t>& values);

  void set_metadata(std::string_view key, std::string_view value);

  /// The file. A ShapeError for more than the 2 GiB that such a file may have.
  std::string file(std::string_view graph_name, std::string_view producer_version) const;

 private:
  std::string add_constant(const std::string& name, Element element, std::span<const std::int64_t> extents,
                           std::span<const std::byte> values);

  Message nodes_, constants_, inputs_, outputs_;  ///< fields of GraphProto
  Message metadata_;                              ///< of ModelProto
};

}  // namespace bcr::onnx

#endif
