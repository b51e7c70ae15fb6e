#include "src/onnx/graph_writer.hpp"

#include "src/core/error.hpp"

#include <bit>

namespace bcr::onnx {
namespace {

// Numbers of fields, from onnx.proto.
namespace model {
constexpr int ir_version = 1, producer_name = 2, producer_version = 3, graph = 7, opset_import = 8,
              metadata_props = 14;
}
namespace opset {
constexpr int version = 2;
}
namespace property {
constexpr int key = 1, value = 2;
}
namespace graph {
constexpr int node = 1, name = 2, initializer = 5, input = 11, output = 12;
}
namespace node {
constexpr int input = 1, output = 2, name = 3, op_type = 4, attribute = 5;
}
namespace attribute {
constexpr int name = 1, i = 3, ints = 8, type = 20;
constexpr int type_int = 2, type_ints = 7;
}
namespace tensor {
constexpr int dims = 1, data_type = 2, name = 8, raw_data = 9;
}
namespace value {
constexpr int name = 1, type = 2, tensor_type = 1, elem_type = 1, shape = 2, dim = 1, dim_value = 1, dim_param = 2;
}

constexpr std::size_t most_bytes = (std::size_t{1} << 31) - 1;

Message value_info(const std::string_view name, const Element element, const std::span<const std::int64_t> extents) {
  Message shape;
  for (const std::int64_t extent : extents) {
    Message dim;
    if (extent == any_batch) {
      dim.text(value::dim_param, "batch");
    } else {
      dim.integer(value::dim_value, extent);
    }
    shape.message(value::dim, dim);
  }
  Message tensor;
  tensor.integer(value::elem_type, static_cast<int>(element)).message(value::shape, shape);
  Message type;
  type.message(value::tensor_type, tensor);
  Message info;
  info.text(value::name, name).message(value::type, type);
  return info;
}

Message written(const Attribute& given) {
  Message message;
  message.text(attribute::name, given.name);
  if (const auto* const integer = std::get_if<std::int64_t>(&given.value)) {
    message.integer(attribute::i, *integer).integer(attribute::type, attribute::type_int);
  } else {
    for (const std::int64_t one : std::get<std::vector<std::int64_t>>(given.value))
      message.integer(attribute::ints, one);
    message.integer(attribute::type, attribute::type_ints);
  }
  return message;
}

}  // namespace

void GraphWriter::add_input(const std::string_view name, const Element element,
                            const std::span<const std::int64_t> extents) {
  inputs_.message(graph::input, value_info(name, element, extents));
}

void GraphWriter::add_output(const std::string_view name, const Element element,
                             const std::span<const std::int64_t> extents) {
  outputs_.message(graph::output, value_info(name, element, extents));
}

void GraphWriter::add_node(const std::string_view op, const std::string& name, const std::vector<std::string>& sources,
                           const std::vector<std::string>& results, const Attributes& attributes) {
  Message message;
  for (const std::string& source : sources) message.text(node::input, source);
  for (const std::string& result : results) message.text(node::output, result);
  message.text(node::name, name).text(node::op_type, op);
  for (const Attribute& one : attributes) message.message(node::attribute, written(one));
  nodes_.message(graph::node, message);
}

std::string GraphWriter::add(const std::string_view op, const std::string& name,
                             const std::vector<std::string>& sources, const Attributes& attributes) {
  add_node(op, name, sources, {name}, attributes);
  return name;
}

std::string GraphWriter::add_constant(const std::string& name, const Element element,
                                      const std::span<const std::int64_t> extents,
                                      const std::span<const std::byte> values) {
  static_assert(std::endian::native == std::endian::little, "raw_data is little-endian");
  Message message;
  for (const std::int64_t extent : extents) message.integer(tensor::dims, extent);
  message.integer(tensor::data_type, static_cast<int>(element)).text(tensor::name, name);
  message.text(tensor::raw_data, {reinterpret_cast<const char*>(values.data()), values.size()});
  constants_.message(graph::initializer, message);
  return name;
}

std::string GraphWriter::constant(const std::string& name, const std::span<const std::int64_t> extents,
                                  const std::span<const float> values) {
  return add_constant(name, Element::float32, extents, std::as_bytes(values));
}

std::string GraphWriter::constant(const std::string& name, const std::span<const std::int64_t> extents,
                                  const std::span<const double> values) {
  return add_constant(name, Element::float64, extents, std::as_bytes(values));
}

std::string GraphWriter::constant(const std::string& name, const std::span<const std::int64_t> extents,
                                  const std::span<const std::int64_t> values) {
  return add_constant(name, Element::int64, extents, std::as_bytes(values));
}

std::string GraphWriter::list(const std::string& name, const std::vector<std::int64_t>& values) {
  const auto count = static_cast<std::int64_t>(values.size());
  return constant(name, std::span(&count, 1), std::span<const std::int64_t>(values));
}

void GraphWriter::set_metadata(const std::string_view key, const std::string_view value) {
  Message entry;
  entry.text(property::key, key).text(property::value, value);
  metadata_.message(model::metadata_props, entry);
}

std::string GraphWriter::file(const std::string_view graph_name, const std::string_view producer_version) const {
  Message body;
  body.text(graph::name, graph_name);
  Message operators;
  operators.integer(opset::version, operator_set);
  Message head;
  head.integer(model::ir_version, format_version).text(model::producer_name, "bcr");
  head.text(model::producer_version, producer_version).message(model::opset_import, operators);
  // The fields that were collected are whole fields: they follow the name.
  const std::string graph_fields =
      nodes_.bytes() + body.bytes() + constants_.bytes() + inputs_.bytes() + outputs_.bytes();
  head.text(model::graph, graph_fields);
  std::string file = head.bytes() + metadata_.bytes();
  require<ShapeError>(file.size() <= most_bytes, "ONNX file", "at most 2 GiB", std::to_string(file.size()) + " bytes");
  return file;
}

}  // namespace bcr::onnx
