#include "src/core/sealed_text.hpp"

#include "src/core/error.hpp"
#include "src/core/sha256.hpp"

namespace bcr {
namespace {

constexpr std::string_view member = "\"checksum\": \"";

/// Where the digits of the last such member begin, or npos.
std::size_t digits_in(const std::string_view text) {
  const std::size_t at = text.rfind(member);
  const bool whole = at != std::string_view::npos && at + member.size() + open_seal.size() < text.size() &&
                     text[at + member.size() + open_seal.size()] == '"';
  return whole ? at + member.size() : std::string_view::npos;
}

std::string digest_of(std::string text, const std::size_t digits) {
  return sha256_hex(text.replace(digits, open_seal.size(), open_seal));
}

}  // namespace

std::string seal(std::string text) {
  const std::size_t digits = digits_in(text);
  if (digits == std::string::npos || text.substr(digits, open_seal.size()) != open_seal) return text;
  return text.replace(digits, open_seal.size(), digest_of(text, digits));
}

Seal seal_of(const std::string_view text) {
  if (text.find("\"checksum\"") == std::string_view::npos) return Seal::absent;
  const std::size_t digits = digits_in(text);
  if (digits == std::string_view::npos) return Seal::wrong;
  return text.substr(digits, open_seal.size()) == digest_of(std::string(text), digits) ? Seal::right : Seal::wrong;
}

void require_seal(const std::string_view text, const std::string& source, const SealWanted wanted) {
  const Seal found = seal_of(text);
  if (found == Seal::wrong || (found == Seal::absent && wanted == SealWanted::always))
    throw IoError("read " + source, "the text that was written, by its SHA-256", "another");
}

}  // namespace bcr
