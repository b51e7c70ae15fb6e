#include "tests/ptx/runtime/fat_binary.hpp"

#include "tests/ptx/error.hpp"

#include <cstdint>
#include <cstring>

namespace bcr::test::ptx {
namespace {

struct Wrapper {
  std::int32_t magic;
  std::int32_t version;
  const char* data;
  void* file_name;
};

struct Header {
  std::uint32_t magic;
  std::uint16_t version;
  std::uint16_t size;
  std::uint64_t content;  ///< bytes of the entries that follow
};

struct Entry {
  std::uint16_t kind;
  std::uint16_t version;
  std::uint32_t size;
  std::uint64_t content;
};

constexpr std::uint32_t magic_of_header = 0xba55ed50;
constexpr std::uint16_t kind_of_ptx = 1;

template <class T>
T read(const char* const from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

}  // namespace

std::string_view ptx_of(const void* const announced) {
  const char* const data = static_cast<const Wrapper*>(announced)->data;
  const auto header = read<Header>(data);
  if (header.magic != magic_of_header) throw Error("an object announces device code in a form that is not known");
  const char* const end = data + header.size + header.content;
  for (const char* at = data + header.size; at < end;) {
    const auto entry = read<Entry>(at);
    const std::string_view content(at + entry.size, entry.content);
    at += entry.size + entry.content;
    if (entry.kind != kind_of_ptx) continue;
    if (content.find(".version") == std::string_view::npos)
      throw Error("the PTX of this program is compressed; compile it with nvcc --no-compress");
    return content.substr(0, content.find('\0'));
  }
  return {};
}

}  // namespace bcr::test::ptx
