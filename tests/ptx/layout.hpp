#ifndef BCR_TESTS_PTX_LAYOUT_HPP
#define BCR_TESTS_PTX_LAYOUT_HPP

#include "tests/ptx/program.hpp"

#include <map>
#include <string>
#include <vector>

namespace bcr::test::ptx {

/// The functions a kernel reaches, callees before callers. A function that calls itself is refused: every function has
/// its registers once.
std::vector<const Function*> reachable_functions(const Module& module, const std::string& kernel);

/// Where a variable begins: an offset in its state space, or an address for those of the device and of the kernel.
struct Place {
  Space space = Space::global;
  std::uint64_t value = 0;
  std::size_t size = 0;
};
using Places = std::map<std::string, Place, std::less<>>;

/// Places of the variables that each function can name. Sizes of local, shared and parameter memory go into the
/// program. The dynamic shared memory begins behind the static one.
std::vector<Places> lay_out(const Module& module, const std::vector<const Function*>& functions,
                            const GlobalAddresses& globals, Program& program);

}  // namespace bcr::test::ptx

#endif
