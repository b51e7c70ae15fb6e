#include "src/train/loss_sums.hpp"

#include "src/core/instances.hpp"

namespace bcr::train {
namespace {

constexpr int size = losses::loss_part_count + 1;
using HostSums = Kokkos::View<double*, Kokkos::LayoutRight, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;

template <class Exec>
struct AddParts {
  ConstVector<double, Exec> parts;
  Vector<double, Exec> sums;
  double weight;

  KOKKOS_FUNCTION void operator()(const int i) const {
    sums(i) = i + 1 < size ? Kokkos::fma(weight, parts(i), sums(i)) : sums(i) + weight;
  }
};

}  // namespace

template <class Exec>
LossSums<Exec>::LossSums() : sums_("bcr::train::loss_sums", size) {}

template <class Exec>
void LossSums<Exec>::add(const Exec& exec, ConstVector<double, Exec> parts, const double weight) {
  Kokkos::parallel_for("bcr::train::add_parts", Kokkos::RangePolicy<Exec>(exec, 0, size),
                       AddParts<Exec>{parts, sums_, weight});
}

template <class Exec>
void LossSums<Exec>::clear(const Exec& exec) {
  Kokkos::deep_copy(exec, sums_, 0.0);
}

template <class Exec>
losses::LossParts LossSums<Exec>::means(const Exec& exec) const {
  const std::vector<double> sums = save(exec);
  losses::LossParts means;
  if (sums.back() == 0) return means;
  for (std::size_t i = 0; i + 1 < sums.size(); ++i) means.values[i] = sums[i] / sums.back();
  return means;
}

template <class Exec>
std::vector<double> LossSums<Exec>::save(const Exec& exec) const {
  std::vector<double> sums(size);
  Kokkos::deep_copy(exec, HostSums(sums.data(), size), sums_);
  exec.fence("bcr::train::LossSums::save");
  return sums;
}

template <class Exec>
void LossSums<Exec>::restore(const Exec& exec, const std::vector<double>& sums) {
  require<ShapeError>(sums.size() == size, "LossSums::restore", std::to_string(size) + " numbers",
                      std::to_string(sums.size()));
  std::vector<double> copy = sums;
  Kokkos::deep_copy(exec, sums_, HostSums(copy.data(), size));
  exec.fence("bcr::train::LossSums::restore");
}

#define BCR_INSTANCE(Exec) template class LossSums<Exec>;
BCR_FOR_EACH_EXEC(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::train
