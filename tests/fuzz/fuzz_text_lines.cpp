// One document a line, plain or gzipped.
#include "tests/fuzz/file_fuzzer.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, const std::size_t size) {
  static const bcr::fuzz::FileFuzzer fuzzer("text_lines_gzip", 0);
  return fuzzer.run(data, size);
}
