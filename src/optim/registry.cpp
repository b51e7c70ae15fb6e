#include "src/optim/registry.hpp"

#include "src/core/instances.hpp"
#include "src/optim/adam.hpp"
#include "src/optim/sgd.hpp"

#include <string>
#include <utility>

namespace bcr::optim {

template <class Exec, class T>
std::unique_ptr<Optimizer<Exec, T>> make_optimizer(const std::string_view name, ParameterLayout layout) {
  if (name == "sgd") return std::make_unique<Sgd<Exec, T>>(std::move(layout), kernels::MomentumRule::nesterov);
  if (name == "sgd-classical")
    return std::make_unique<Sgd<Exec, T>>(std::move(layout), kernels::MomentumRule::classical);
  if (name == "adam") return std::make_unique<Adam<Exec, T>>(std::move(layout));
  std::string names;
  for (const std::string_view known : optimizer_names) names += (names.empty() ? "" : ", ") + std::string(known);
  throw ConfigError("make_optimizer", "one of " + names, name);
}

#define BCR_INSTANCE(Exec, T) \
  template std::unique_ptr<Optimizer<Exec, T>> make_optimizer<Exec, T>(std::string_view, ParameterLayout);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::optim
