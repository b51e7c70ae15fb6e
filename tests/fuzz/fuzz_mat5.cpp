// MATLAB 5 files, plain and compressed variables.
#include "tests/fuzz/file_fuzzer.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, const std::size_t size) {
  static const bcr::fuzz::FileFuzzer fuzzer("svhn_mat5_compressed", 0);
  return fuzzer.run(data, size);
}
