#ifndef BCR_SRC_OPTIM_OPTIMIZER_HPP
#define BCR_SRC_OPTIM_OPTIMIZER_HPP

#include "src/core/views.hpp"
#include "src/optim/parameter_layout.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bcr::optim {

/// A part of an optimiser's memory under the name it is saved by: "<buffer>/<parameter>", e.g.
/// "velocity/conv1.weights".
template <class Exec, class T>
struct NamedState {
  std::string name;
  Vector<T, Exec> values;  ///< shares the optimiser's memory: copy out to save, copy in to restore
};

/// An update rule together with its memory, one array per buffer, laid out like the parameters.
/// Everything a restart needs is state() and steps_done(); a restored optimiser continues with the same bits.
template <class Exec, class T>
class Optimizer {
 public:
  virtual ~Optimizer() = default;
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;

  /// Updates params from their gradients. Asynchronous on exec. `rate` is the scheduled learning rate of this step.
  void step(const Exec& exec, double rate, ConstVector<T, Exec> diff_params, Vector<T, Exec> params);

  std::vector<NamedState<Exec, T>> state() const;
  std::uint64_t steps_done() const { return steps_done_; }
  void set_steps_done(const std::uint64_t steps) { steps_done_ = steps; }

  virtual std::string_view name() const = 0;

 protected:
  Optimizer(ParameterLayout layout, std::vector<std::string> buffer_names);

  const ParameterLayout& layout() const { return layout_; }
  ConstVector<kernels::ParameterChunk, Exec> chunks() const { return chunks_; }
  Vector<T, Exec> buffer(const std::size_t i) const { return buffers_[i]; }

 private:
  /// steps_done() already counts this step: it is 1 in the first.
  virtual void update(const Exec& exec, double rate, ConstVector<T, Exec> diff_params, Vector<T, Exec> params) = 0;

  ParameterLayout layout_;
  std::vector<std::string> buffer_names_;
  std::vector<Vector<T, Exec>> buffers_;
  Vector<kernels::ParameterChunk, Exec> chunks_;
  std::uint64_t steps_done_ = 0;
};

}  // namespace bcr::optim

#endif
