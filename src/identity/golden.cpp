#include "src/identity/golden.hpp"

#include "src/core/error.hpp"

#include <fmt/format.h>

#include <fstream>
#include <sstream>

namespace bcr::identity {
namespace {

bool is_digest(const std::string& word) {
  return word.size() == 64 && word.find_first_not_of("0123456789abcdef") == std::string::npos;
}

}  // namespace

Golden read_golden(const std::filesystem::path& file) {
  std::ifstream stream(file);
  if (!stream) throw IoError("read " + file.string(), "a file of golden digests", "no readable file");
  Golden golden;
  std::string line;
  for (unsigned number = 1; std::getline(stream, line); ++number) {
    if (line.empty() || line.front() == '#') continue;
    std::istringstream words(line);
    std::string name, digest, rest;
    if (!(words >> name >> digest) || (words >> rest) || !is_digest(digest)) {
      throw IoError(fmt::format("read {}:{}", file.string(), number), "\"subject sha256\"", '"' + line + '"');
    }
    golden[name] = digest;
  }
  return golden;
}

std::string golden_text(const Golden& golden) {
  std::string text = "# SHA-256 of every strict subject on its fixed inputs. The same on every backend, thread count,\n"
                     "# compiler, optimisation level and instruction set. Made by: bcr-identity --print-golden\n";
  for (const auto& [name, digest] : golden) text += fmt::format("{} {}\n", name, digest);
  return text;
}

}  // namespace bcr::identity
