#include "src/core/text_file.hpp"

#include "src/core/error.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <system_error>

namespace bcr {

std::string read_text(const std::filesystem::path& file) {
  std::error_code missing;
  if (std::filesystem::is_directory(file, missing))  // which opens, and throws when it is read
    throw IoError("read " + file.string(), "a file that can be read", "a directory");
  std::ifstream stream(file, std::ios::binary);
  std::string text;
  if (stream) text.assign(std::istreambuf_iterator<char>(stream), {});
  if (!stream || !std::filesystem::is_regular_file(file)) {
    throw IoError("read " + file.string(), "a file that can be read", errno != 0 ? std::strerror(errno) : "no file");
  }
  return text;
}

}  // namespace bcr
