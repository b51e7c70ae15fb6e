#ifndef BCR_SRC_TRAIN_BATCHES_OPEN_DATA_HPP
#define BCR_SRC_TRAIN_BATCHES_OPEN_DATA_HPP

#include "src/core/context.hpp"
#include "src/train/batches/batch_source.hpp"

namespace bcr::train {

/// The data of a run: the split, checked against the files, and the samples it selects.
struct OpenData {
  io::Split split;
  std::string split_hash;
  Dataset known_train;                ///< without those of the validation
  Dataset validation;                 ///< of the same file; empty unless data.validation asks for some
  Dataset known_test;
  Dataset background;                 ///< empty if the split has none
  std::vector<Dataset> unknown_test;  ///< one for each unknown set
  std::vector<double> mean;
  std::vector<double> std;
  io::Vocabulary vocabulary;             ///< of texts: the words of the known training documents
  std::shared_ptr<DeviceBudget> budget;  ///< of all these sets together
};

/// One side of the data: a set of samples and what it is for.
struct Side {
  std::string name;  ///< known_train, validation, background, known_test, unknown_<set>
  const Dataset& samples;
  bool is_test = false;
};

/// All sides, empty ones too, but no validation that nobody asked for: in the order in which records list them.
std::vector<Side> sides(const OpenData& data);

/// Names of the unknown sets of a split, each once and fit for a path.
std::vector<std::string> unknown_set_names(const io::Split& split);

/// Which files to open: training alone needs no test sets.
enum class DataUse { train, test, both };

/// Reads the split and everything about the files but their samples. ConfigErrors and IoErrors as io::require_disjoint
/// and io::select_images say; also if sizes or channels of the sets differ, or mean and std do not fit them. `seed` is
/// that of the run; it draws the samples of the validation.
OpenData open_data(const DataOptions& options, DataUse use = DataUse::both, std::uint64_t seed = 1);

/// The shards of every batch that a rank draws, and how many of them at once.
struct DrawnShards {
  Shard first{};
  int own = 1;
  int held_at_once = 1;
};

/// The source of training batches. The sets are put into device memory in the order known, background as far as the
/// budget of the data reaches; the rest is streamed. What was decided is logged. `ranks` read the files together: each
/// calls this, and then has all the samples.
template <class Exec, class T>
BatchSource<Exec, T> make_batch_source(const Context<Exec>& context, const OpenData& data, const DataOptions& options,
                                       const DrawnShards& shards, comm::Communicator& ranks);
/// The same, read by this rank alone.
template <class Exec, class T>
BatchSource<Exec, T> make_batch_source(const Context<Exec>& context, const OpenData& data, const DataOptions& options,
                                       const DrawnShards& shards = {});

/// A set in its own order, without augmentation: for tests and statistics. Resident if the budget has room for it. Read
/// by this rank alone.
template <class Exec, class T>
Loader<Exec, T> make_test_loader(const Context<Exec>& context, const Dataset& dataset, const OpenData& data,
                                 const DataOptions& options, std::size_t largest_batch);

}  // namespace bcr::train

#endif
