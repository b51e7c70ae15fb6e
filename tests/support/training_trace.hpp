#ifndef BCR_TESTS_SUPPORT_TRAINING_TRACE_HPP
#define BCR_TESTS_SUPPORT_TRAINING_TRACE_HPP

#include "src/optim/parameter_layout.hpp"
#include "tests/support/tolerance.hpp"

#include <gtest/gtest.h>
#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

// What comparisons with the traces of scripts/make_training_trace.py share.
namespace bcr::test {

/// The numbers both sides begin with: integer hashes of (name, position) in [-1, 1), exact in float.
inline std::vector<double> hashed(const std::string& name, const std::size_t count) {
  std::uint32_t base = 2166136261u;
  for (const char letter : name) base = (base ^ static_cast<unsigned char>(letter)) * 16777619u;
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    std::uint32_t x = static_cast<std::uint32_t>(i) * 747796405u + base;
    x = (x ^ (x >> 16)) * 0x7FEB352Du;
    x = (x ^ (x >> 15)) * 0x846CA68Bu;
    values[i] = ((x ^ (x >> 16)) >> 8) * 0x1p-23 - 1;
  }
  return values;
}

template <class View>
void fill(const View& device, const std::vector<double>& values) {
  const auto mirror = Kokkos::create_mirror_view(device);
  using T = typename View::non_const_value_type;
  for (std::size_t i = 0; i < values.size(); ++i) mirror.data()[i] = static_cast<T>(values[i]);
  Kokkos::deep_copy(device, mirror);
}

template <class View>
std::vector<double> every(const View& device, const std::size_t stride) {
  const auto mirror = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), device);
  std::vector<double> values;
  for (std::size_t i = 0; i < mirror.size(); i += stride) values.push_back(mirror.data()[i]);
  return values;
}

inline void expect_near(const std::vector<double>& expected, const std::vector<double>& received, const double limit,
                 const std::string& what) {
  ASSERT_EQ(expected.size(), received.size()) << what;
  double largest = 0;
  for (const double value : expected) largest = std::max(largest, std::abs(value));
  ASSERT_GT(largest, 0) << what << " is all zeros";
  largest = std::max(largest, tolerance::trace_floor);
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(expected[i], received[i], limit * largest) << what << ", sample " << i;
}

inline optim::ParameterLayout layout_of(const auto& parameters, const double momentum, const double weight_decay) {
  return optim::one_group(parameters, {.name = "all", .weight_decay = weight_decay, .momentum = momentum});
}

}  // namespace bcr::test

#endif
