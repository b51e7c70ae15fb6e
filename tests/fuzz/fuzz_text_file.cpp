// Our own data files of texts.
#include "io/hdf5/text_file.hpp"
#include "src/core/error.hpp"
#include "tests/support/format_writers.hpp"
#include "tests/support/scratch_directory.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, const std::size_t size) {
  static const bcr::test::ScratchDirectory directory;
  const auto path = directory.path() / "data.h5";
  bcr::test::write_bytes(path, {data, data + size});
  try {
    bcr::io::TextFile(path).verify();
  } catch (const bcr::Error&) {
  }
  return 0;
}
