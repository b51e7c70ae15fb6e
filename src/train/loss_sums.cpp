#include "src/train/loss_sums.hpp"

#include "src/core/instances.hpp"

namespace bcr::train {
namespace {

using HostSums = Kokkos::View<double*, Kokkos::LayoutRight, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;

template <class Exec>
struct AddNumbers {
  ConstVector<double, Exec> numbers;
  Vector<double, Exec> sums;
  double weight;

  KOKKOS_FUNCTION void operator()(const int i) const {
    sums(i) = i < numbers.extent_int(0) ? Kokkos::fma(weight, numbers(i), sums(i)) : sums(i) + weight;
  }
};

}  // namespace

template <class Exec>
LossSums<Exec>::LossSums(const std::size_t numbers) : sums_("bcr::train::loss_sums", numbers + 1) {}

template <class Exec>
void LossSums<Exec>::add(const Exec& exec, ConstVector<double, Exec> numbers, const double weight) {
  require_shape("LossSums::add", "numbers", numbers, {sums_.size() - 1});
  Kokkos::parallel_for("bcr::train::add_numbers", Kokkos::RangePolicy<Exec>(exec, 0, sums_.size()),
                       AddNumbers<Exec>{numbers, sums_, weight});
}

template <class Exec>
void LossSums<Exec>::clear(const Exec& exec) {
  Kokkos::deep_copy(exec, sums_, 0.0);
}

template <class Exec>
std::vector<double> LossSums<Exec>::means(const Exec& exec) const {
  std::vector<double> means = save(exec);
  const double weight = means.back();
  means.pop_back();
  for (double& mean : means) mean = weight == 0 ? 0 : mean / weight;
  return means;
}

template <class Exec>
std::vector<double> LossSums<Exec>::save(const Exec& exec) const {
  std::vector<double> sums(sums_.size());
  Kokkos::deep_copy(exec, HostSums(sums.data(), sums.size()), sums_);
  exec.fence("bcr::train::LossSums::save");
  return sums;
}

template <class Exec>
void LossSums<Exec>::restore(const Exec& exec, const std::vector<double>& sums) {
  require<ShapeError>(sums.size() == sums_.size(), "LossSums::restore", std::to_string(sums_.size()) + " numbers",
                      std::to_string(sums.size()));
  std::vector<double> copy = sums;
  Kokkos::deep_copy(exec, sums_, HostSums(copy.data(), copy.size()));
  exec.fence("bcr::train::LossSums::restore");
}

#define BCR_INSTANCE(Exec) template class LossSums<Exec>;
BCR_FOR_EACH_EXEC(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::train
