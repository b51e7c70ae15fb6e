// Launches the kernels of one training step on the PTX executor and writes what they cost (docs/gpu_cost.md).
//
// usage: bcr-cost-ptx NETWORK IMAGES BLOCKS FOLDER      e.g. bcr-cost-ptx wrn-40-2 256 8 build/cuda/cost/wrn-40-2
//   NETWORK   of tests/ptx/cost/network_step.hpp
//   BLOCKS    of a launch that are run, at most
// Writes launches.csv and the PTX of the objects that were used; scripts/gpu_cost.py reads them.
#include "tests/ptx/cost/network_step.hpp"
#include "tests/ptx/runtime/cost_ledger.hpp"

#include <cstdio>
#include <exception>

int main(int argc, char** argv) try {
  if (argc != 5 || !bcr::test::step_networks.contains(argv[1])) {
    std::fputs("usage: bcr-cost-ptx wrn-40-2|wrn-28-10|wrn-10-1|resnet18 IMAGES BLOCKS FOLDER\n", stderr);
    return 2;
  }
  auto& ledger = bcr::test::ptx::CostLedger::instance();
  ledger.sample(std::stoul(argv[3]));
  const Kokkos::ScopeGuard guard;
  Kokkos::Tools::Experimental::set_begin_parallel_for_callback(
      [](const char* const label, std::uint32_t, std::uint64_t*) {
        bcr::test::ptx::CostLedger::instance().set_label(label);
      });
  bcr::test::NetworkStep<Kokkos::Cuda> step(argv[1], std::stoi(argv[2]));
  ledger.open();
  step.run();
  ledger.write(argv[4]);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "bcr-cost-ptx: %s\n", error.what());
  return 1;
}
