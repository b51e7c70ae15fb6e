#ifndef BCR_SRC_ONNX_MESSAGE_HPP
#define BCR_SRC_ONNX_MESSAGE_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace bcr::onnx {

/// A message of Protocol Buffers, field by field in the order of the calls, as bytes: a field is its number and wire
/// type, then an integer of 7 bits a byte, four bytes, or a length and so many bytes (encoding of the language's page).
class Message {
 public:
  /// int32, int64 and enumerations.
  Message& integer(int field, std::int64_t value);
  Message& number(int field, float value);
  /// string and bytes.
  Message& text(int field, std::string_view value);
  Message& message(int field, const Message& value);
  /// A list of integers in one field.
  Message& integers(int field, std::span<const std::int64_t> values);

  const std::string& bytes() const noexcept { return bytes_; }

 private:
  enum class Wire { varint = 0, length = 2, four_bytes = 5 };

  void key(int field, Wire wire);
  void varint(std::uint64_t value);

  std::string bytes_;
};

}  // namespace bcr::onnx

#endif
