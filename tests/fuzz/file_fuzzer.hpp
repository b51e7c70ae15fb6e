#ifndef BCR_TESTS_FUZZ_FILE_FUZZER_HPP
#define BCR_TESTS_FUZZ_FILE_FUZZER_HPP

#include "src/core/error.hpp"
#include "tests/support/format_samples.hpp"
#include "tests/support/scratch_directory.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace bcr::fuzz {

/// Imports a format sample again and again, one of its files replaced by what libFuzzer invents. Our own errors are
/// the right answer to garbage; anything else ends the process.
class FileFuzzer {
 public:
  FileFuzzer(const std::string& sample, const std::size_t file) : sample_(test::format_sample(sample)), file_(file) {
    sample_.write(directory_.path());
  }

  int run(const std::uint8_t* data, const std::size_t size) const {
    test::write_bytes(directory_.path() / sample_.files[file_].name, {data, data + size});
    try {
      sample_.read(directory_.path());
    } catch (const Error&) {
    }
    return 0;
  }

 private:
  const test::FormatSample& sample_;
  std::size_t file_;
  test::ScratchDirectory directory_;
};

}  // namespace bcr::fuzz

#endif
