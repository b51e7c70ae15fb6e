#include "kernels/distance/squared_distance.hpp"
#include "src/core/error.hpp"
#include "src/core/host_tasks.hpp"
#include "src/scores/fitted_scores.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <limits>

namespace bcr::scores {
namespace {

using Exec = Kokkos::DefaultExecutionSpace;
using HostRows = Kokkos::View<const float**, Kokkos::LayoutRight, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;

/// The k-th smallest of some distances. A list of candidates below a bound, the k-th smallest seen when it was last
/// full, is kept: after the first few of N distances nearly all are one comparison.
class Smallest {
 public:
  explicit Smallest(const std::size_t k) : k_(k) { kept_.reserve(4 * k_ + 64); }

  float of(const float* const distances, const std::size_t size) {
    kept_.clear();
    float bound = std::numeric_limits<float>::infinity();
    for (std::size_t i = 0; i < size; ++i) {
      if (!(distances[i] < bound)) continue;
      kept_.push_back(distances[i]);
      if (kept_.size() < 4 * k_ + 64) continue;
      bound = place();
      kept_.resize(k_);
    }
    return kept_.size() < k_ ? std::numeric_limits<float>::infinity() : place();
  }

 private:
  float place() {
    const auto at = kept_.begin() + static_cast<std::ptrdiff_t>(k_ - 1);
    std::nth_element(kept_.begin(), at, kept_.end());
    return *at;
  }

  std::size_t k_;
  std::vector<float> kept_;
};

/// f / max(|f|, 1e-12), the norm in double, sums in order.
void append_unit_vector(const float* const f, const std::size_t n, std::vector<float>& dst) {
  double squares = 0;
  for (std::size_t j = 0; j < n; ++j) squares += double(f[j]) * double(f[j]);
  const double norm = std::max(Kokkos::sqrt(squares), 1e-12);
  for (std::size_t j = 0; j < n; ++j) dst.push_back(static_cast<float>(double(f[j]) / norm));
}

class Knn final : public FittedScore {
 public:
  Knn(const HeadModel& head, const KnnSettings& settings) : n_(head.features), settings_(settings) {}

  int passes() const override { return 1; }
  void add(int, const SampleRows& rows) override {
    for (std::size_t i = 0; i < rows.count; ++i) append_unit_vector(rows.feature_row(i), n_, bank_);
  }
  void finish(int) override {}
  std::string undefined() const override {
    return size() > neighbour() ? "" : "there are not so many training images as neighbours are asked for";
  }

  void score(const SampleRows& rows, const std::span<double> dst) const override {
    const Exec exec;
    const auto bank = Kokkos::create_mirror_view_and_copy(Exec::memory_space(), HostRows(bank_.data(), size(), n_));
    const std::size_t k = neighbour() + (rows.origin == SampleRows::Origin::training ? 1 : 0);
    const std::size_t block =
        std::clamp<std::size_t>((std::size_t{1} << 23) / std::max<std::size_t>(size(), 1), 16, 1024);
    const Matrix<float, Exec> distances("bcr::scores::knn", std::min(block, rows.count), size());
    std::vector<float> queries;
    for (std::size_t first = 0; first < rows.count; first += block) {
      const std::size_t here = std::min(block, rows.count - first);
      queries.clear();
      for (std::size_t i = 0; i < here; ++i) append_unit_vector(rows.feature_row(first + i), n_, queries);
      const auto src = Kokkos::create_mirror_view_and_copy(Exec::memory_space(), HostRows(queries.data(), here, n_));
      const Matrix<float, Exec> found(distances.data(), here, size());
      kernels::squared_distance<Exec, float>(exec, src, bank, found);
      exec.fence("bcr::scores::knn");
      const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), found);
      constexpr std::size_t rows_per_task = 16;
      for_each_task("bcr::scores::knn::select", parts_in(here, rows_per_task), [&](const std::size_t task) {
        const IndexRange part = part_of(here, rows_per_task, task);
        Smallest smallest(k);
        for (std::size_t i = part.begin; i < part.end; ++i)
          dst[first + i] = -double(smallest.of(host.data() + i * size(), size()));
      });
    }
  }

  FittedState state() const override { return FittedState({{"bank", {size(), n_}, bank_}}); }
  void restore(const FittedState& state) override { bank_ = state.floats("bank", {FittedState::any, n_}); }

 private:
  std::size_t size() const { return bank_.size() / n_; }
  std::size_t neighbour() const {
    if (settings_.k > 0) return static_cast<std::size_t>(settings_.k);
    return std::max<std::size_t>((size() + 500) / 1000, 1);
  }

  std::size_t n_;
  KnnSettings settings_;
  std::vector<float> bank_;
};

}  // namespace

FittedScorePointer make_knn(const HeadModel& head, const FittedScoreOptions& options) {
  return std::make_unique<Knn>(head, options.knn);
}

}  // namespace bcr::scores
