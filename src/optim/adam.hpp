#ifndef BCR_SRC_OPTIM_ADAM_HPP
#define BCR_SRC_OPTIM_ADAM_HPP

#include "kernels/optim/update_steps.hpp"
#include "src/optim/optimizer.hpp"

namespace bcr::optim {

struct AdamSettings {
  double beta2 = 0.999;
  double epsilon = 1e-8;
};

/// Adam (Kingma and Ba 2015), the arithmetic of kernels::adam_step; beta1 is the momentum of a group and weight decay
/// is added to the gradient. Buffers: "first_moment", "second_moment".
template <class Exec, class T>
class Adam final : public Optimizer<Exec, T> {
 public:
  /// ConfigError unless 0 <= beta2 < 1 and epsilon > 0.
  explicit Adam(ParameterLayout layout, const AdamSettings& settings = {});

  std::string_view name() const override { return "adam"; }

 private:
  void update(const Exec& exec, double rate, ConstVector<T, Exec> diff_params, Vector<T, Exec> params) override;

  AdamSettings settings_;
};

}  // namespace bcr::optim

#endif
