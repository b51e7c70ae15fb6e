#ifndef BCR_SRC_RUN_RECEIPT_HPP
#define BCR_SRC_RUN_RECEIPT_HPP

#include "src/run/claims.hpp"
#include "src/run/verify_run.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace bcr::run {

/// Steps of a run that were computed again.
struct ReplayedInterval {
  Interval steps;
  bool drawn = true;                     ///< false: passed on the way to one that was
  std::string from;                      ///< "initial weights", or the checkpoint it was replayed from
  std::string weights_sha256;            ///< after the last of its steps, as replayed
  std::vector<std::string> differences;  ///< from what the run says, a sentence each
};

/// What a replay found, with the versions and the hardware it was made on: receipt.json.
struct Receipt {
  std::map<std::string, std::string> files;  ///< of the run, by name: their SHA-256
  std::string run_sha256;
  std::string challenge;
  std::size_t drawn = 0;      ///< intervals asked for, at most all
  std::size_t intervals = 0;  ///< of the run
  int ranks = 1;
  int threads = 1;  ///< of each rank
  double seconds = 0;
  std::vector<std::string> faults;  ///< of its files, a sentence each
  std::vector<ReplayedInterval> replayed;

  /// Whether everything was as the run says, and anything was replayed at all.
  bool is_confirmed() const;
};

/// Atomically, with a checksum.
void write_receipt(const std::filesystem::path& file, const Receipt& receipt);

/// An IoError if the file is no receipt, or not what was written.
Receipt read_receipt(const std::filesystem::path& file);

/// Whether a receipt agrees with itself, its verdict with its intervals; and, if `run` is not empty, whether it is
/// about the files of this run, and about the intervals that the run's hash draws.
std::vector<Finding> verify_receipt(const std::filesystem::path& file, const std::filesystem::path& run);

}  // namespace bcr::run

#endif
