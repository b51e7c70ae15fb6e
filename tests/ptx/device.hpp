#ifndef BCR_TESTS_PTX_DEVICE_HPP
#define BCR_TESTS_PTX_DEVICE_HPP

#include "tests/ptx/block.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace bcr::test::ptx {

/// A module on the device: its variables have memory, its kernels are linked when they are first asked for.
class LoadedModule {
 public:
  LoadedModule(std::string_view text, DeviceMemory& memory);

  bool has_kernel(const std::string& name) const;
  std::vector<std::string> kernels() const;
  Program& kernel(const std::string& name);
  /// The address of a variable, or nullptr.
  void* variable(std::string_view name) const;

 private:
  Module module_;
  GlobalAddresses addresses_;
  std::map<std::string, std::unique_ptr<Program>> programs_;
};

struct Launch {
  Extent grid;
  Extent threads;
  std::size_t dynamic_shared = 0;
};

/// Runs every block of a grid, one after the other. arguments[i] leads to the value of parameter i.
void run_kernel(Program& program, const DeviceMemory& memory, const Launch& launch, const void* const* arguments);

/// Runs the blocks of a grid, or of a large one about `most_blocks` (four runs of neighbours), and counts. The sums are
/// those of the blocks that ran, but for launch_..._sectors: a sector that several runs touch (weights) stands once for
/// the whole grid, any other stands for its like of the blocks that did not run. What these would have written is missing.
Counts count_kernel(Program& program, const DeviceMemory& memory, const Launch& launch, const void* const* arguments,
                    std::size_t most_blocks);

}  // namespace bcr::test::ptx

#endif
