#ifndef BCR_TESTS_UNIT_REPORT_SAMPLE_RUN_HPP
#define BCR_TESTS_UNIT_REPORT_SAMPLE_RUN_HPP

#include <cstdint>
#include <filesystem>
#include <string>

namespace bcr::test {

enum class SampleHead { distance, linear };

/// A run that never was: small clouds of features around anchors, and all files of docs/run_directory.md made from them.
struct SampleRun {
  std::string loss = "class_inclusion";
  std::string split = "cifar10";
  SampleHead head = SampleHead::distance;
  std::uint64_t seed = 1;
  double quality = 1;  ///< 0: unknown images look like known ones
  int classes = 6;
  int features = 64;
  int epochs = 12;
  int images = 600;  ///< of each test set
};

/// Writes the run into a directory, which is made.
void write_sample_run(const std::filesystem::path& directory, const SampleRun& sample);

}  // namespace bcr::test

#endif
