#ifndef BCR_TESTS_SUPPORT_HDF5_FORGERY_HPP
#define BCR_TESTS_SUPPORT_HDF5_FORGERY_HPP

#include "tests/support/format_writers.hpp"

#include <algorithm>
#include <span>
#include <stdexcept>

namespace bcr::test {

/// Fletcher's checksum as HDF5 stores it behind a chunk: sums of big-endian 16-bit words, modulo 2^16 - 1.
inline std::uint32_t fletcher32(const std::span<const std::uint8_t> bytes) {
  std::uint32_t sum = 0, sum_of_sums = 0;
  for (std::size_t i = 0; i < bytes.size(); i += 2) {
    const std::uint32_t low = i + 1 < bytes.size() ? bytes[i + 1] : 0U;
    sum = (sum + (bytes[i] * 256U + low)) % 65535U;
    sum_of_sums = (sum_of_sums + sum) % 65535U;
  }
  return sum_of_sums * 65536U + sum;
}

/// Gives a chunk of a file another content and a checksum that fits it: what a program that knows HDF5 and nothing of
/// this one would do.
inline void forge_chunk(const std::filesystem::path& path, const Bytes& before, const Bytes& after) {
  Bytes file = read_bytes(path);
  const auto found = std::search(file.begin(), file.end(), before.begin(), before.end());
  if (before.size() != after.size() || found == file.end()) throw std::runtime_error("no such chunk: " + path.string());
  const auto checksum = std::copy(after.begin(), after.end(), found);
  const std::uint32_t value = fletcher32(after);
  for (int i = 0; i < 4; ++i) checksum[i] = static_cast<std::uint8_t>(value >> (8 * i));
  write_bytes(path, file);
}

}  // namespace bcr::test

#endif
