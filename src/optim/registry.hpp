#ifndef BCR_SRC_OPTIM_REGISTRY_HPP
#define BCR_SRC_OPTIM_REGISTRY_HPP

#include "src/optim/optimizer.hpp"

#include <array>
#include <memory>
#include <string_view>

namespace bcr::optim {

/// The names that make_optimizer knows.
inline constexpr std::array<std::string_view, 3> optimizer_names{"sgd", "sgd-classical", "adam"};

/// "sgd": momentum by Nesterov; "sgd-classical": momentum as Polyak wrote it; "adam": beta2 = 0.999, epsilon = 1e-8.
/// ConfigError that lists the names for any other.
template <class Exec, class T>
std::unique_ptr<Optimizer<Exec, T>> make_optimizer(std::string_view name, ParameterLayout layout);

}  // namespace bcr::optim

#endif
