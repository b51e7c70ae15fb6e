// BMP files.
#include "tests/fuzz/file_fuzzer.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, const std::size_t size) {
  static const bcr::fuzz::FileFuzzer fuzzer("folder", 3);
  return fuzzer.run(data, size);
}
