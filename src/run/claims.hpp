#ifndef BCR_SRC_RUN_CLAIMS_HPP
#define BCR_SRC_RUN_CLAIMS_HPP

#include "src/run/run_directory.hpp"
#include "src/run/train_log.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace bcr::run {

/// What one file of a run says of the state after a step.
struct Claim {
  enum class About { weights, all_tensors };

  std::string file;
  About about = About::weights;
  std::string sha256;
};

/// The steps between two that something is claimed of: after `from`, until `to`.
struct Interval {
  std::uint64_t from = 0;
  std::uint64_t to = 0;

  bool operator==(const Interval&) const = default;
};

/// What a run claims of its weights, in train.jsonl (train.hash_every), in its checkpoints and in its manifest: what a
/// replay compares with.
struct RunClaims {
  std::map<std::string, std::string> files;               ///< SHA-256 of every file that the training wrote, by name
  std::string sha256;                                     ///< of that list: the run's own hash
  std::string initial_weights;                            ///< "" in an early manifest
  std::map<std::uint64_t, std::vector<Claim>> by_step;    ///< from step 1 on
  std::map<std::uint64_t, std::filesystem::path> starts;  ///< checkpoints by their step
  TrainLog log;

  /// By ascending steps, without a gap, from step 0 on.
  std::vector<Interval> intervals() const;
};

/// An IoError if a file is not what was written; checkpoints that are not are left out, verify_run() tells of them.
RunClaims read_claims(const RunDirectory& directory);

/// The hash of a list of files with their digests, as sha256sum would write it.
std::string hash_of_files(const std::map<std::string, std::string>& files);

/// `count` of the intervals, or all, by ascending steps: those whose SHA-256 with the hash of the run is smallest. Who
/// claims a run cannot choose them without changing the run; a `challenge`, a word of the one who checks, keeps him
/// from trying many.
std::vector<Interval> draw(const std::vector<Interval>& intervals, std::size_t count, std::string_view run_sha256,
                           std::string_view challenge);

}  // namespace bcr::run

#endif
