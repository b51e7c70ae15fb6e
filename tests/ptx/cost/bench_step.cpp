// How long each kernel of a strict training step takes on the default device: what scripts/gpu_cost.py estimates.
//
// usage: bench_step NETWORK IMAGES STEPS      e.g. bench_step wrn-40-2 256 10
//   NETWORK   of tests/ptx/cost/network_step.hpp
// Prints kernel,launches,milliseconds of one step: first "step", measured without anything in between, then every label
// with a fence around each of its launches (so that their sum is more than a step).
#include "tests/ptx/cost/network_step.hpp"

#include <chrono>
#include <cstdio>
#include <exception>

namespace bcr::test {
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(const Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

struct KernelTime {
  int launches = 0;
  double milliseconds = 0;
};

/// By label. Callbacks of Kokkos are plain functions, so what they write to cannot be handed to them.
std::map<std::string, KernelTime> kernel_times;
std::string current;
Clock::time_point began;

void begin(const char* const label, std::uint32_t, std::uint64_t*) {
  current = label;
  Kokkos::fence("bcr::test::step");
  began = Clock::now();
}

void end(std::uint64_t) {
  Kokkos::fence("bcr::test::step");
  auto& time = kernel_times[current];
  ++time.launches;
  time.milliseconds += milliseconds_since(began);
}

void measure(const std::string& network, const int images, const int steps) {
  NetworkStep<Kokkos::DefaultExecutionSpace> step(network, images);
  for (int i = 0; i < 2; ++i) step.run();
  Kokkos::fence("bcr::test::step");
  const auto start = Clock::now();
  for (int i = 0; i < steps; ++i) step.run();
  Kokkos::fence("bcr::test::step");
  std::printf("kernel,launches,milliseconds\nstep,1,%.4f\n", milliseconds_since(start) / steps);
  Kokkos::Tools::Experimental::set_begin_parallel_for_callback(begin);
  Kokkos::Tools::Experimental::set_end_parallel_for_callback(end);
  for (int i = 0; i < steps; ++i) step.run();
  Kokkos::Tools::Experimental::set_begin_parallel_for_callback(nullptr);
  Kokkos::Tools::Experimental::set_end_parallel_for_callback(nullptr);
  for (const auto& [label, time] : kernel_times)
    std::printf("%s,%d,%.4f\n", label.c_str(), time.launches / steps, time.milliseconds / steps);
}

}  // namespace
}  // namespace bcr::test

int main(int argc, char** argv) try {
  if (argc != 4 || !bcr::test::step_networks.contains(argv[1])) {
    std::fputs("usage: bench_step wrn-40-2|wrn-28-10|wrn-10-1|resnet18 IMAGES STEPS\n", stderr);
    return 2;
  }
  const Kokkos::ScopeGuard guard;
  bcr::test::measure(argv[1], std::stoi(argv[2]), std::stoi(argv[3]));
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "bench_step: %s\n", error.what());
  return 1;
}
