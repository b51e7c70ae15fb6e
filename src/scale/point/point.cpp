#include "src/scale/point/point.hpp"

namespace bcr::scale {

double Point::multiply_accumulates() const {
  double total = 0;
  for (const RegionTimes& part : regions) total += part.multiply_accumulates;
  return total;
}

double Point::bytes() const {
  double total = 0;
  for (const RegionTimes& part : regions) total += part.bytes;
  return total;
}

const RegionTimes* Point::region(const std::string& name) const {
  for (const RegionTimes& part : regions)
    if (part.name == name) return &part;
  return nullptr;
}

}  // namespace bcr::scale
