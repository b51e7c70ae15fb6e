// Compiled twice, as canary_plain and as canary_contracted: the same text, as our build compiles everything, and with
// contraction allowed. The first function must then have another digest; the second one in another order of its sum.
#include "src/core/random.hpp"
#include "src/core/sha256.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace bcr::test::BCR_CANARY {

std::string multiply_then_add() {
  constexpr std::size_t size = 1000;
  std::vector<double> a(size), b(size), c(size);  // in memory first: the conversion to double must not be what is fused
  for (std::size_t i = 0; i < size; ++i) {
    Random random(1, Stream("canary"), 0, i);
    a[i] = random.uniform<double>();
    b[i] = random.uniform<double>();
    c[i] = random.uniform<double>();
  }
  for (std::size_t i = 0; i < size; ++i) c[i] = a[i] * b[i] + c[i];  // two roundings, or one if the compiler contracts
  return sha256_hex(std::as_bytes(std::span(c)));
}

std::string sum(const bool reversed) {
  double total = 0;
  constexpr std::size_t terms = 1000;
  for (std::size_t i = 0; i < terms; ++i) {
    Random random(1, Stream("canary"), 0, reversed ? terms - 1 - i : i);
    total += random.uniform<double>();
  }
  return sha256_hex(std::as_bytes(std::span(&total, 1)));
}

}  // namespace bcr::test::BCR_CANARY
