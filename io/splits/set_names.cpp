#include "io/splits/set_names.hpp"

#include <algorithm>

namespace bcr::io {

std::vector<std::string> unknown_set_names(const Split& split) {
  std::vector<std::string> names;
  for (const ClassChoice& choice : split.unknown) {
    std::string name = choice.set.empty() ? "unknown" : choice.set;
    std::replace(name.begin(), name.end(), '/', '_');
    const auto same = std::count(names.begin(), names.end(), name);
    names.push_back(same == 0 ? name : name + "-" + std::to_string(same + 1));
  }
  return names;
}

}  // namespace bcr::io
