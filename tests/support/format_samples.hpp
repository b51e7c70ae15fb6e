#ifndef BCR_TESTS_SUPPORT_FORMAT_SAMPLES_HPP
#define BCR_TESTS_SUPPORT_FORMAT_SAMPLES_HPP

#include "io/datasets/registry.hpp"
#include "tests/support/format_writers.hpp"

#include <functional>
#include <string>
#include <vector>

namespace bcr::test {

/// A set in words: each document as text, to be compared without knowing how words are numbered.
std::vector<std::string> documents_of(const io::TextSet& set);

/// A small data set in a published form: its files, how to import it, and what must come out. The same samples serve
/// round trips, refusals, mutations and fuzzing.
struct FormatSample {
  struct File {
    std::string name;  ///< relative to a directory
    Bytes bytes;
  };

  std::string name;
  std::string format;
  std::vector<File> files{};
  std::vector<std::string> paths{};  ///< to import, relative; "" is the directory itself
  io::ImportRequest request{};       ///< everything but the paths
  io::ImportedSet expected{};
  /// True if a file cut to this length is a smaller sound one: nothing in it says how long it is.
  std::function<bool(const File&, std::size_t length)> may_be_cut = [](const File&, std::size_t) { return false; };

  /// Writes the files under `directory`.
  void write(const std::filesystem::path& directory) const;
  /// Imports what lies under `directory`.
  io::ImportedSet read(const std::filesystem::path& directory) const;
};

/// The names of all samples, known before the first is made: test suites are laid out from them.
std::vector<std::string> sample_names();

/// One for every format and variant.
const std::vector<FormatSample>& format_samples();
const FormatSample& format_sample(const std::string& name);

}  // namespace bcr::test

#endif
