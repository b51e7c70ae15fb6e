// Writes a run directory for the test of bcr-report:
//   bcr_sample_run DIR [loss] [distance|linear] [seed] [quality] [classes] [split]
#include "tests/unit/report/sample_run.hpp"

#include <Kokkos_Core.hpp>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

namespace {

void write_one(const std::vector<std::string>& words) {
  bcr::test::SampleRun sample;
  if (words.size() > 1) sample.loss = words[1];
  if (words.size() > 2 && words[2] == "linear") sample.head = bcr::test::SampleHead::linear;
  if (words.size() > 3) sample.seed = std::strtoull(words[3].c_str(), nullptr, 10);
  if (words.size() > 4) sample.quality = std::strtod(words[4].c_str(), nullptr);
  if (words.size() > 5) sample.classes = std::stoi(words[5]);
  if (words.size() > 6) sample.split = words[6];
  bcr::test::write_sample_run(words.at(0), sample);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const Kokkos::ScopeGuard kokkos(argc, argv);
    write_one(std::vector<std::string>(argv + 1, argv + argc));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
