#include "src/core/sha256.hpp"

#include "src/core/sha256_blocks.hpp"
#include "src/core/views.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace bcr {
namespace {

std::uint32_t big_endian_word(const std::byte* const bytes) {
  std::uint32_t word = 0;
  for (int i = 0; i < 4; ++i) word = word << 8 | std::to_integer<std::uint32_t>(bytes[i]);
  return word;
}

}  // namespace

namespace impl {

void sha256_blocks_portable(std::array<std::uint32_t, 8>& state, const std::byte* blocks, std::size_t count) {
  std::array<std::uint32_t, 64> w{};
  // One round. Instead of moving a..h along, the next call names them shifted by one.
  const auto round = [&w](const auto a, const auto b, const auto c, auto& d, const auto e, const auto f, const auto g,
                          auto& h, const std::size_t t) {
    const std::uint32_t sum1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const std::uint32_t choice = g ^ (e & (f ^ g));
    const std::uint32_t sum0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    const std::uint32_t majority = (a & b) | (c & (a | b));
    h += sum1 + choice + sha256_constants[t] + w[t];
    d += h;
    h += sum0 + majority;
  };
  for (; count > 0; --count, blocks += 64) {
    for (std::size_t t = 0; t < 16; ++t) w[t] = big_endian_word(blocks + 4 * t);
    for (std::size_t t = 16; t < 64; ++t) {
      const std::uint32_t sigma1 = std::rotr(w[t - 2], 17) ^ std::rotr(w[t - 2], 19) ^ (w[t - 2] >> 10);
      const std::uint32_t sigma0 = std::rotr(w[t - 15], 7) ^ std::rotr(w[t - 15], 18) ^ (w[t - 15] >> 3);
      w[t] = sigma1 + w[t - 7] + sigma0 + w[t - 16];
    }
    auto [a, b, c, d, e, f, g, h] = state;
    for (std::size_t t = 0; t < 64; t += 8) {
      round(a, b, c, d, e, f, g, h, t + 0);
      round(h, a, b, c, d, e, f, g, t + 1);
      round(g, h, a, b, c, d, e, f, t + 2);
      round(f, g, h, a, b, c, d, e, t + 3);
      round(e, f, g, h, a, b, c, d, t + 4);
      round(d, e, f, g, h, a, b, c, t + 5);
      round(c, d, e, f, g, h, a, b, t + 6);
      round(b, c, d, e, f, g, h, a, t + 7);
    }
    const std::array<std::uint32_t, 8> change = {a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < 8; ++i) state[i] += change[i];
  }
}

}  // namespace impl

std::string to_hex(const Sha256Digest& digest) {
  std::string text;
  for (const std::byte byte : digest) text += fmt::format("{:02x}", std::to_integer<unsigned>(byte));
  return text;
}

// FIPS 180-4, 5.3.3: the square roots of the first eight primes.
Sha256::Sha256(const Code code)
    : compress_(code == Code::fastest && impl::has_sha256_x86() ? impl::sha256_blocks_x86
                                                                : impl::sha256_blocks_portable),
      state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19} {}

Sha256& Sha256::update(std::span<const std::byte> bytes) {
  const std::size_t held = length_ % 64;
  length_ += bytes.size();
  if (held > 0) {
    const std::size_t taken = std::min(bytes.size(), 64 - held);
    std::copy_n(bytes.begin(), taken, pending_.begin() + held);
    bytes = bytes.subspan(taken);
    if (held + taken < 64) return *this;
    compress_(state_, pending_.data(), 1);
  }
  const std::size_t blocks = bytes.size() / 64;
  compress_(state_, bytes.data(), blocks);
  const auto rest = bytes.subspan(64 * blocks);
  std::copy(rest.begin(), rest.end(), pending_.begin());
  return *this;
}

Sha256Digest Sha256::digest() const {
  // Padding: one bit, zeros up to 56 modulo 64, the length in bits as 64-bit big-endian number.
  Sha256 last = *this;
  std::array<std::byte, 72> padding{std::byte{0x80}};
  const std::size_t zeros = (119 - length_ % 64) % 64;
  for (int i = 0; i < 8; ++i) padding[1 + zeros + i] = static_cast<std::byte>((length_ * 8) >> (56 - 8 * i));
  last.update(std::span(padding).first(zeros + 9));

  Sha256Digest digest{};
  for (std::size_t i = 0; i < 32; ++i) digest[i] = static_cast<std::byte>(last.state_[i / 4] >> (24 - 8 * (i % 4)));
  return digest;
}

std::string sha256_hex(const std::string_view text) {
  return to_hex(Sha256().update(text).digest());
}

std::string sha256_hex(const std::span<const std::byte> bytes) {
  return to_hex(Sha256().update(bytes).digest());
}

void update_with_array(Sha256& hash, const std::string_view type, const std::span<const std::size_t> extents,
                       const std::span<const std::byte> elements) {
  hash.update(fmt::format("{}{}\n", type, shape_text(extents))).update(elements);
}

}  // namespace bcr
