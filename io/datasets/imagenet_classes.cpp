#include "io/datasets/imagenet_classes.hpp"

#include <sstream>

namespace bcr::io {

std::vector<std::string> imagenet_classes() {
  std::istringstream lines{std::string(imagenet_classes_text())};
  std::vector<std::string> names;
  for (std::string line; std::getline(lines, line);) names.push_back(line);
  return names;
}

}  // namespace bcr::io
