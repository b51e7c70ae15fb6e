#ifndef BCR_TESTS_FUZZ_TARGETS_HPP
#define BCR_TESTS_FUZZ_TARGETS_HPP

#include "tests/support/format_writers.hpp"

#include <functional>
#include <string>
#include <vector>

namespace bcr::fuzz {

/// A reader under fire.
struct Target {
  std::string name;
  std::string dictionary;          ///< its words, tests/fuzz/dictionaries/<dictionary>.dict
  std::vector<test::Bytes> seeds;  ///< sound files, from which a fuzzer starts
  /// Reads any bytes. Our own errors are the right answer to garbage; whatever else happens is a fault of the reader.
  std::function<void(const test::Bytes&)> read;
};

/// One for every format that the programs read.
const std::vector<Target>& targets();

/// Throws std::invalid_argument that names those that there are.
const Target& target(const std::string& name);

enum class Verdict { accepted, refused };

/// Anything but a bcr::Error gets out.
Verdict run(const Target& target, const test::Bytes& bytes);

}  // namespace bcr::fuzz

#endif
