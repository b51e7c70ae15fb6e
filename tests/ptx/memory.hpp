#ifndef BCR_TESTS_PTX_MEMORY_HPP
#define BCR_TESTS_PTX_MEMORY_HPP

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>

namespace bcr::test::ptx {

/// The global memory of the device. Its addresses are those of the process, but a kernel may touch only what was
/// allocated here: a pointer to host memory is caught, and so is a step beyond the end of an array.
class DeviceMemory {
 public:
  /// Filled with a pattern that is no number, so that what a kernel forgets to write cannot pass for a zero; unless the
  /// memory is only to be counted on: then a page that nobody touches takes none of the process.
  void* allocate(std::size_t size);
  void leave_unfilled() { fills_ = false; }
  void release(void* address);
  bool holds(std::uint64_t address, std::size_t size) const;

 private:
  bool fills_ = true;
  struct Block {
    std::unique_ptr<std::byte[]> bytes;
    std::size_t size = 0;
  };
  std::map<std::uint64_t, Block> blocks_;  ///< by address
  mutable std::uint64_t last_begin_ = 0;   ///< neighbours usually lie in the same array
  mutable std::uint64_t last_end_ = 0;
};

}  // namespace bcr::test::ptx

#endif
