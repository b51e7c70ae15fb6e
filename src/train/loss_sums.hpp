#ifndef BCR_SRC_TRAIN_LOSS_SUMS_HPP
#define BCR_SRC_TRAIN_LOSS_SUMS_HPP

#include "src/core/views.hpp"

#include <cstddef>
#include <vector>

namespace bcr::train {

/// The numbers of an objective over an epoch, added up on the device in the order of the steps, each step with the weight of its known
/// images. A value that is not finite stays in the sums: whoever reads them learns that there was one.
template <class Exec>
class LossSums {
 public:
  explicit LossSums(std::size_t numbers);

  /// Asynchronous on exec.
  void add(const Exec& exec, ConstVector<double, Exec> numbers, double weight);
  void clear(const Exec& exec);

  /// Means so far; waits for exec. All zero before the first step.
  std::vector<double> means(const Exec& exec) const;

  /// Sums and weight, to be saved and restored bit by bit; save waits for exec.
  std::vector<double> save(const Exec& exec) const;
  void restore(const Exec& exec, const std::vector<double>& sums);

 private:
  Vector<double, Exec> sums_;  ///< the numbers, then the weight
};

}  // namespace bcr::train

#endif
