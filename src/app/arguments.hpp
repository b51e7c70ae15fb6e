#ifndef BCR_SRC_APP_ARGUMENTS_HPP
#define BCR_SRC_APP_ARGUMENTS_HPP

#include <span>
#include <string>
#include <vector>

namespace bcr::app {

/// A command line in three heaps, each in its original order.
struct Arguments {
  std::vector<std::string> own;        ///< what the program's parser sees
  std::vector<std::string> kokkos;     ///< --kokkos-*, for Kokkos alone
  std::vector<std::string> overrides;  ///< "--train.lr=0.1" as "train.lr=0.1", for the configuration
};

/// Sorts the arguments (without the program's name). A dotted option takes its value after '=' or as the next
/// argument: `--train.lr 0.1`. Throws ConfigError for a dotted option without a value.
Arguments sort_arguments(std::span<const std::string> arguments);

}  // namespace bcr::app

#endif
