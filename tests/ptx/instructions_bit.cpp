#include "tests/ptx/lanewise.hpp"

#include <algorithm>
#include <bit>

namespace bcr::test::ptx {
namespace {

void decode_and(Decoding& decoding) {
  with_integer(decoding, decoding.take_type(),
               [&]<class T>(T) { decode_binary<T, T>(decoding, [](const T a, const T b) { return T(a & b); }); });
}

void decode_or(Decoding& decoding) {
  with_integer(decoding, decoding.take_type(),
               [&]<class T>(T) { decode_binary<T, T>(decoding, [](const T a, const T b) { return T(a | b); }); });
}

void decode_xor(Decoding& decoding) {
  with_integer(decoding, decoding.take_type(),
               [&]<class T>(T) { decode_binary<T, T>(decoding, [](const T a, const T b) { return T(a ^ b); }); });
}

void decode_not(Decoding& decoding) {
  const ScalarType type = decoding.take_type();
  if (type == ScalarType::pred)
    return decode_unary<std::uint8_t>(decoding, [](const std::uint8_t a) { return std::uint8_t(a == 0 ? 1 : 0); });
  with_integer(decoding, type, [&]<class T>(T) { decode_unary<T>(decoding, [](const T a) { return T(~a); }); });
}

/// Amounts beyond the width give what an unlimited shift would.
void decode_shl(Decoding& decoding) {
  with_integer(decoding, decoding.take_type(), [&]<class T>(T) {
    decode_binary<T, std::uint32_t>(decoding, [](const T a, const std::uint32_t by) {
      return by >= 8 * sizeof(T) ? T(0) : T(std::uint64_t(a) << by);
    });
  });
}

void decode_shr(Decoding& decoding) {
  with_integer(decoding, decoding.take_type(), [&]<class T>(T) {
    decode_binary<T, std::uint32_t>(decoding, [](const T a, const std::uint32_t by) {
      constexpr std::uint32_t last = 8 * sizeof(T) - 1;
      if (by > last && std::is_unsigned_v<T>) return T(0);
      return T(a >> std::min(by, last));
    });
  });
}

/// The funnel shift of two words.
void decode_shf(Decoding& decoding) {
  using Word = std::uint32_t;
  const int direction = decoding.take_one_of({"l", "r"});
  const int mode = decoding.take_one_of({"wrap", "clamp"});
  if (direction < 0 || mode < 0 || decoding.take_type() != ScalarType::b32) decoding.fail("unknown form");
  const auto both = [](const Word low, const Word high) { return std::uint64_t(high) << 32 | low; };
  if (direction == 0 && mode == 0)
    decode_ternary<Word, Word, Word>(decoding, [](const Word a, const Word b, const Word by) {
      return Word((decltype(both){}(a, b) << (by & 31u)) >> 32);
    });
  else if (direction == 0)
    decode_ternary<Word, Word, Word>(decoding, [](const Word a, const Word b, const Word by) {
      return by >= 32 ? a : Word((decltype(both){}(a, b) << by) >> 32);
    });
  else if (mode == 0)
    decode_ternary<Word, Word, Word>(
        decoding, [](const Word a, const Word b, const Word by) { return Word(decltype(both){}(a, b) >> (by & 31u)); });
  else
    decode_ternary<Word, Word, Word>(decoding, [](const Word a, const Word b, const Word by) {
      return Word(decltype(both){}(a, b) >> std::min(by, Word(32)));
    });
}

template <class T>
using Unsigned = std::make_unsigned_t<T>;

void decode_popc(Decoding& decoding) {
  with_integer(decoding, decoding.take_type(), [&]<class T>(T) {
    decode_unary<T>(decoding, [](const T a) { return std::uint32_t(std::popcount(Unsigned<T>(a))); });
  });
}

void decode_clz(Decoding& decoding) {
  with_integer(decoding, decoding.take_type(), [&]<class T>(T) {
    decode_unary<T>(decoding, [](const T a) { return std::uint32_t(std::countl_zero(Unsigned<T>(a))); });
  });
}

void decode_brev(Decoding& decoding) {
  with_integer(decoding, decoding.take_type(), [&]<class T>(T) {
    decode_unary<T>(decoding, [](const T a) {
      Unsigned<T> reversed = 0;
      for (std::size_t i = 0; i < 8 * sizeof(T); ++i)
        reversed = Unsigned<T>(reversed << 1 | (Unsigned<T>(a) >> i & 1u));
      return reversed;
    });
  });
}

/// Bits [from, from + count) of a, extended by zeros or by the last bit of the field.
template <class T>
T bit_field(const T a, const std::uint32_t from, const std::uint32_t count) {
  const std::uint32_t width = 8 * sizeof(T);
  const bool is_negative =
      std::is_signed_v<T> && count > 0 && (Unsigned<T>(a) >> std::min(from + count - 1, width - 1) & 1u) != 0;
  Unsigned<T> field = is_negative ? Unsigned<T>(~Unsigned<T>(0)) : Unsigned<T>(0);
  for (std::uint32_t i = 0; i < count && from + i < width; ++i) {
    const auto bit = Unsigned<T>(Unsigned<T>(Unsigned<T>(a) >> (from + i) & 1u) << i);
    field = Unsigned<T>((field & ~(Unsigned<T>(1) << i)) | bit);
  }
  return T(field);
}

void decode_bfe(Decoding& decoding) {
  with_integer(decoding, decoding.take_type(), [&]<class T>(T) {
    decode_ternary<T, std::uint32_t, std::uint32_t>(decoding,
                                                    [](const T a, const std::uint32_t from, const std::uint32_t count) {
                                                      return bit_field(a, from & 0xffu, count & 0xffu);
                                                    });
  });
}

template <class T>
void run_bfi(const Step& step, Warp& warp, const Mask mask) {
  for_each_lane(mask, [&](const int lane) {
    const std::uint64_t a = warp.slot(step.src[0])[lane];
    T result = T(warp.slot(step.src[1])[lane]);
    const std::uint64_t from = warp.slot(step.src[2])[lane] & 0xffu;
    const std::uint64_t count = warp.slot(step.src[3])[lane] & 0xffu;
    for (std::uint64_t i = 0; i < count && from + i < 8 * sizeof(T); ++i)
      result = T((result & ~(T(1) << (from + i))) | (T(a >> i & 1u) << (from + i)));
    warp.slot(step.dst[0])[lane] = result;
  });
}

void decode_bfi(Decoding& decoding) {
  const ScalarType type = decoding.take_type();
  decoding.take_operands(4);
  decoding.step.run = size_of(type) == 8 ? run_bfi<std::uint64_t> : run_bfi<std::uint32_t>;
}

/// Picks four bytes of two words; the sign form of a selector (bit 3) fills the byte with its sign.
void decode_prmt(Decoding& decoding) {
  using Word = std::uint32_t;
  if (decoding.take_type() != ScalarType::b32) decoding.fail("unknown form");
  decode_ternary<Word, Word, Word>(decoding, [](const Word a, const Word b, const Word selectors) {
    const std::uint64_t bytes = std::uint64_t(b) << 32 | a;
    Word result = 0;
    for (int i = 0; i < 4; ++i) {
      const Word selector = selectors >> (4 * i) & 0xfu;
      const Word byte = Word(bytes >> (8 * (selector & 7u)) & 0xffu);
      result |= ((selector & 8u) == 0 ? byte : (byte & 0x80u) == 0 ? 0u : 0xffu) << (8 * i);
    }
    return result;
  });
}

/// Any function of three bits, by its table.
void run_lop3(const Step& step, Warp& warp, const Mask mask) {
  for_each_lane(mask, [&](const int lane) {
    const auto a = std::uint32_t(warp.slot(step.src[0])[lane]);
    const auto b = std::uint32_t(warp.slot(step.src[1])[lane]);
    const auto c = std::uint32_t(warp.slot(step.src[2])[lane]);
    const std::uint64_t table = warp.slot(step.src[3])[lane];
    std::uint32_t result = 0;
    for (unsigned entry = 0; entry < 8; ++entry) {
      if ((table >> entry & 1u) == 0) continue;
      result |= ((entry & 4u) != 0 ? a : ~a) & ((entry & 2u) != 0 ? b : ~b) & ((entry & 1u) != 0 ? c : ~c);
    }
    warp.slot(step.dst[0])[lane] = result;
  });
}

void decode_lop3(Decoding& decoding) {
  if (decoding.take_type() != ScalarType::b32) decoding.fail("unknown form");
  decoding.take_operands(4);
  decoding.step.run = run_lop3;
}

}  // namespace

void add_bit_instructions(DecoderTable& table) {
  table["and"] = decode_and;
  table["or"] = decode_or;
  table["xor"] = decode_xor;
  table["not"] = decode_not;
  table["shl"] = decode_shl;
  table["shr"] = decode_shr;
  table["shf"] = decode_shf;
  table["popc"] = decode_popc;
  table["clz"] = decode_clz;
  table["brev"] = decode_brev;
  table["bfe"] = decode_bfe;
  table["bfi"] = decode_bfi;
  table["prmt"] = decode_prmt;
  table["lop3"] = decode_lop3;
}

}  // namespace bcr::test::ptx
