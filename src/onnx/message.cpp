#include "src/onnx/message.hpp"

#include <bit>

namespace bcr::onnx {

void Message::varint(std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>((value & 0x7f) | 0x80);
  bytes_ += static_cast<char>(value);
}

void Message::key(const int field, const Wire wire) {
  varint((static_cast<std::uint64_t>(field) << 3) | static_cast<std::uint64_t>(wire));
}

Message& Message::integer(const int field, const std::int64_t value) {
  key(field, Wire::varint);
  varint(static_cast<std::uint64_t>(value));
  return *this;
}

Message& Message::number(const int field, const float value) {
  key(field, Wire::four_bytes);
  const auto bits = std::bit_cast<std::uint32_t>(value);
  for (int byte = 0; byte < 4; ++byte) bytes_ += static_cast<char>((bits >> (8 * byte)) & 0xff);
  return *this;
}

Message& Message::text(const int field, const std::string_view value) {
  key(field, Wire::length);
  varint(value.size());
  bytes_ += value;
  return *this;
}

Message& Message::message(const int field, const Message& value) {
  return text(field, value.bytes_);
}

Message& Message::integers(const int field, const std::span<const std::int64_t> values) {
  Message list;
  for (const std::int64_t value : values) list.varint(static_cast<std::uint64_t>(value));
  return message(field, list);
}

}  // namespace bcr::onnx
