// A message of a newsgroup.
#include "tests/fuzz/file_fuzzer.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, const std::size_t size) {
  static const bcr::fuzz::FileFuzzer fuzzer("newsgroups", 0);
  return fuzzer.run(data, size);
}
