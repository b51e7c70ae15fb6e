// The fused optimiser steps against the memory roof of the same run. GB/s is by the traffic in the kernels' headers.
// The roof moves the same streams with next to no arithmetic: one array read, and as many updated in place as the step
// has, of the same length, timed in turn with it (share_of_roof). A triad is no roof here: a core is limited by what it reads, and a
// triad has another share of reads (and a hidden one, of the lines it stores to), so a step seems to beat it by a
// quarter. Sizes: the 2.2 million parameters of WRN-40-2 (they fit some last-level caches), the 36.5 million of
// WRN-28-10.
#include "bench/support/measure.hpp"
#include "bench/support/program.hpp"
#include "src/core/launch.hpp"
#include "src/optim/registry.hpp"

#include <benchmark/benchmark.h>
#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <string>

namespace {

template <class Exec>
using Array = bcr::Vector<float, Exec>;

constexpr int block = 16384;

/// Raw pointers and a plain inner loop: indexing Views inside a RangePolicy is compiled to scalar code by some
/// compilers, which is limited by instructions and would be no roof.
template <class Exec, int updated>
struct SameStreams {
  Array<Exec> read;
  Kokkos::Array<Array<Exec>, updated> arrays;

  KOKKOS_FUNCTION void operator()(const typename Kokkos::TeamPolicy<Exec>::member_type& team) const {
    const int begin = team.league_rank() * block;
    const int left = read.extent_int(0) - begin;
    const float* const src = read.data() + begin;
    Kokkos::Array<float*, updated> dst;
    for (int k = 0; k < updated; ++k) dst[k] = arrays[k].data() + begin;
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, left < block ? left : int(block)), [=](const int i) {
      for (int k = 0; k < updated; ++k) dst[k][i] += src[i];
    });
  }
};

template <class Exec, int updated>
void step(benchmark::State& state, const std::string name) {
  constexpr double arrays_moved = 1 + 2 * updated;
  const auto size = static_cast<std::size_t>(state.range(0));
  const Exec exec;
  const Array<Exec> params("bcr::bench::params", size);
  const Array<Exec> diff_params("bcr::bench::diff_params", size);
  Kokkos::deep_copy(exec, params, 0.5f);
  Kokkos::deep_copy(exec, diff_params, 0.01f);
  SameStreams<Exec, updated> streams{Array<Exec>("bcr::bench::read", size), {}};
  for (int k = 0; k < updated; ++k) streams.arrays[k] = Array<Exec>("bcr::bench::updated", size);
  const auto roof_policy = bcr::block_policy(exec, static_cast<int>((size + block - 1) / block));
  const auto optimizer = bcr::optim::make_optimizer<Exec, float>(
      name, {size, {{"all", 0, size, 0}}, {{.name = "all", .weight_decay = 5e-4}}});
  const double bytes = arrays_moved * static_cast<double>(size) * sizeof(float);
  double roof = 1e9;
  const double best = bcr::bench::measure<float>(
      state, exec, {.elements = double(size), .bytes = bytes},
      [&] {
        roof = std::min(roof, bcr::bench::seconds(exec, [&] {
          Kokkos::parallel_for("bcr::bench::same_streams", roof_policy, streams);
        }));
      },
      [&] { optimizer->step(exec, 1e-3, diff_params, params); });
  state.counters["roof_GB/s"] = bytes / roof * 1e-9;
  state.counters["share_of_roof"] = roof / best;
}

}  // namespace

int main(int argc, char** argv) {
  return bcr::bench::run(argc, argv, []<class Exec>(const Exec&) {
    using bcr::bench::add;
    add("sgd", step<Exec, 2>, "sgd")->Arg(2'236'000)->Arg(36'500'000);
    add("adam", step<Exec, 3>, "adam")->Arg(2'236'000)->Arg(36'500'000);
  });
}
