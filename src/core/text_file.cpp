#include "src/core/text_file.hpp"

#include "src/core/error.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

namespace bcr {

std::string read_text(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string text;
  if (stream) text.assign(std::istreambuf_iterator<char>(stream), {});
  if (!stream || !std::filesystem::is_regular_file(file)) {
    throw IoError("read " + file.string(), "a file that can be read", errno != 0 ? std::strerror(errno) : "no file");
  }
  return text;
}

}  // namespace bcr
