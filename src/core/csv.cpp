#include "src/core/csv.hpp"

namespace bcr {

std::string csv_field(const std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char letter : text) {
    if (letter == '"') quoted += letter;
    quoted += letter;
  }
  return quoted + "\"";
}

}  // namespace bcr
