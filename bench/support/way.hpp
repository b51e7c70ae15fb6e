#ifndef BCR_BENCH_SUPPORT_WAY_HPP
#define BCR_BENCH_SUPPORT_WAY_HPP

#include "src/nn/mode.hpp"

#include <map>
#include <string>

namespace bcr::bench {

/// How a network computes.
struct Way {
  nn::Mode mode = nn::Mode::strict;
  nn::Precision precision = nn::Precision::fp32;
};

/// By their names in the titles of benchmarks; bf16 (fast mode with products of bf16) only where there is such a thing.
template <class Exec>
std::map<std::string, Way> ways() {
  std::map<std::string, Way> all{{"strict", {}}, {"fast", {.mode = nn::Mode::fast}}};
  if (nn::has_bf16<Exec>()) all["bf16"] = {nn::Mode::fast, nn::Precision::bf16};
  return all;
}

}  // namespace bcr::bench

#endif
