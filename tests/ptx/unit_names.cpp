#include "tests/ptx/unit_names.hpp"

#include <algorithm>
#include <cstddef>
#include <regex>

namespace bcr::test::ptx {
namespace {

/// How much of a name without its length does not depend on the process: mark, hash, length of the file's name, that
/// name, hash. 0 if there is no number of a process behind it.
std::size_t stable_length(const std::string& name) {
  static const std::regex start("(_GLOBAL__N__|_INTERNAL_)[0-9a-f]{8}_([0-9]{1,3})_");
  std::smatch found;
  if (!std::regex_search(name, found, start, std::regex_constants::match_continuous)) return 0;
  const std::size_t end = static_cast<std::size_t>(found.length()) + std::stoul(found[2]) + 9;
  const bool has_number = end + 1 < name.size() && name[end] == '_';
  return has_number && name.find_first_not_of("0123456789", end + 1) == std::string::npos ? end : 0;
}

/// Where the next name begins, or npos.
std::size_t find_mark(const std::string& text, const std::size_t from) {
  return std::min(text.find("_GLOBAL__N__", from), text.find("_INTERNAL_", from));
}

}  // namespace

std::string without_process_numbers(const std::string& text) {
  std::string out;
  std::size_t done = 0;
  for (std::size_t mark = find_mark(text, 0); mark != std::string::npos; mark = find_mark(text, mark + 1)) {
    // The length has two or three digits; more of them belong to the name before it.
    for (const std::size_t digits : {2, 3}) {
      if (mark < done + digits) break;
      const std::string length = text.substr(mark - digits, digits);
      if (length.find_first_not_of("0123456789") != std::string::npos) break;
      const std::string name = text.substr(mark, std::stoul(length));
      const std::size_t kept = stable_length(name);
      if (kept == 0) continue;
      out += text.substr(done, mark - digits - done) + std::to_string(kept) + name.substr(0, kept);
      done = mark + name.size();
      break;
    }
  }
  return out + text.substr(done);
}

}  // namespace bcr::test::ptx
