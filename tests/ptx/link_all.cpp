// link_all FILE.ptx...: links every kernel of the files, which fails for any instruction that the executor does not
// know. It knows exact arithmetic only, so that what passes holds nothing else: an audit by a list of what is allowed.
#include "tests/ptx/device.hpp"

#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <string>

int main(int argc, char** argv) {
  int kernels = 0;
  int refused = 0;
  std::size_t steps = 0;
  for (int i = 1; i < argc; ++i) {
    std::ifstream stream(argv[i], std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    bcr::test::ptx::DeviceMemory memory;
    try {
      bcr::test::ptx::LoadedModule module(text, memory);
      for (const auto& name : module.kernels()) {
        ++kernels;
        try {
          steps += module.kernel(name).steps.size();
        } catch (const std::exception& error) {
          ++refused;
          std::printf("%s: %s: %s\n", argv[i], name.c_str(), error.what());
        }
      }
    } catch (const std::exception& error) {
      ++refused;
      std::printf("%s: %s\n", argv[i], error.what());
    }
  }
  std::printf("%d files, %d kernels, %zu instructions, %d refused\n", argc - 1, kernels, steps, refused);
  return kernels > 0 && refused == 0 ? 0 : 1;
}
