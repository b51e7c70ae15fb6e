#include "tests/ptx/memory.hpp"

#include "tests/ptx/error.hpp"

#include <cstring>

namespace bcr::test::ptx {

void* DeviceMemory::allocate(const std::size_t size) {
  constexpr std::size_t alignment = 256;
  auto bytes = std::make_unique_for_overwrite<std::byte[]>(size + alignment);
  if (fills_) std::memset(bytes.get(), 0xff, size + alignment);
  const auto address = (reinterpret_cast<std::uint64_t>(bytes.get()) + alignment - 1) / alignment * alignment;
  blocks_[address] = {std::move(bytes), size};
  return reinterpret_cast<void*>(address);
}

void DeviceMemory::release(void* const address) {
  if (blocks_.erase(reinterpret_cast<std::uint64_t>(address)) == 0)
    throw Error("device memory: released what was never allocated, or twice");
  last_begin_ = last_end_ = 0;
}

bool DeviceMemory::holds(const std::uint64_t address, const std::size_t size) const {
  if (address >= last_begin_ && address + size <= last_end_) return true;
  auto after = blocks_.upper_bound(address);
  if (after == blocks_.begin()) return false;
  --after;
  last_begin_ = after->first;
  last_end_ = after->first + after->second.size;
  return address + size <= last_end_;
}

}  // namespace bcr::test::ptx
