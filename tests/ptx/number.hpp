#ifndef BCR_TESTS_PTX_NUMBER_HPP
#define BCR_TESTS_PTX_NUMBER_HPP

#include <cctype>
#include <cstdint>
#include <optional>
#include <string>

namespace bcr::test::ptx {

/// The bits of a constant: 12, 0x1F, 12U, 0f3F800000 (bits of a float), 0d3FF0000000000000 (of a double).
inline std::optional<std::uint64_t> number_bits(const std::string& word) {
  if (word.empty() || std::isdigit(static_cast<unsigned char>(word.front())) == 0) return std::nullopt;
  const char kind = word.size() > 1 && word[0] == '0' ? static_cast<char>(std::tolower(word[1])) : ' ';
  const bool is_float = kind == 'f' || kind == 'd';
  const std::string digits = is_float ? word.substr(2) : word;
  std::size_t read = 0;
  const std::uint64_t value = std::stoull(digits, &read, is_float ? 16 : 0);
  const bool unsigned_mark = read + 1 == digits.size() && digits.back() == 'U';
  if (read != digits.size() && !unsigned_mark) return std::nullopt;
  return value;
}

}  // namespace bcr::test::ptx

#endif
