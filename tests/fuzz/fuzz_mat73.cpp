// MATLAB 7.3 files, which are HDF5.
#include "tests/fuzz/file_fuzzer.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, const std::size_t size) {
  static const bcr::fuzz::FileFuzzer fuzzer("svhn_mat73", 0);
  return fuzzer.run(data, size);
}
