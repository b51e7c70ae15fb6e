// Writes what the fuzzers start from, a folder for each reader, and prints each reader with its dictionary.
#include "tests/fuzz/targets.hpp"

#include <fmt/format.h>

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: bcr_fuzz_corpus DIRECTORY\n");
    return 2;
  }
  for (const bcr::fuzz::Target& target : bcr::fuzz::targets()) {
    int number = 0;
    for (const bcr::test::Bytes& seed : target.seeds)
      bcr::test::write_bytes(std::filesystem::path(argv[1]) / target.name / fmt::format("seed-{}", number++), seed);
    fmt::print("{} {}\n", target.name, target.dictionary);
  }
  return 0;
}
