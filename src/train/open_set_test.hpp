#ifndef BCR_SRC_TRAIN_OPEN_SET_TEST_HPP
#define BCR_SRC_TRAIN_OPEN_SET_TEST_HPP

#include "src/comm/communicator.hpp"
#include "src/train/batches/open_data.hpp"
#include "src/train/inference.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace bcr::train {

/// What a model says of the test sets of a run.
struct TestScores {
  io::SetScores known;
  std::vector<std::pair<std::string, io::SetScores>> unknown;  ///< by the name of the set

  /// All of them, the known one first.
  std::vector<io::SetScores*> sets();
  /// SHA-256 of the outputs of all sets, in order (run::outputs_sha256).
  std::string outputs_sha256(std::size_t columns) const;
};

/// A set of samples that the ranks show to a model together: each reads and computes its part, in whole batches, and
/// knows all the results.
template <class Exec, class T>
class SharedSet {
 public:
  /// `ranks` must outlive this.
  SharedSet(const Context<Exec>& context, const Dataset& dataset, const OpenData& data, const DataOptions& options,
            std::size_t batch, comm::Communicator& ranks);

  io::SetScores run(const Exec& exec, Inference<Exec, T>& inference, Keep keep);

 private:
  comm::Communicator* ranks_;
  std::optional<Loader<Exec, T>> loader_;  ///< of the part of this rank, unless it is empty
  std::vector<std::int32_t> labels_;       ///< of all
};

/// The known test images and every unknown set, ready to be shown to a model again and again.
template <class Exec, class T>
class OpenSetTest {
 public:
  OpenSetTest(const Context<Exec>& context, const OpenData& data, const DataOptions& options, std::size_t batch,
              comm::Communicator& ranks);

  TestScores run(const Exec& exec, Inference<Exec, T>& inference, Keep keep);

 private:
  std::vector<std::pair<std::string, SharedSet<Exec, T>>> sets_;  ///< by name, the known one first
};

}  // namespace bcr::train

#endif
