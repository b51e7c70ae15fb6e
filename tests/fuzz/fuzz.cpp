// libFuzzer's entry: BCR_FUZZ_TARGET names the reader that gets what it invents.
#include "tests/fuzz/targets.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <exception>

namespace {

const bcr::fuzz::Target* chosen = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
  const char* const name = std::getenv("BCR_FUZZ_TARGET");
  try {
    chosen = &bcr::fuzz::target(name == nullptr ? "" : name);
  } catch (const std::exception& error) {
    fmt::print(stderr, "bcr_fuzz: BCR_FUZZ_TARGET: {}\n", error.what());
    std::exit(2);
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, const std::size_t size) {
  bcr::fuzz::run(*chosen, {data, data + size});
  return 0;
}
