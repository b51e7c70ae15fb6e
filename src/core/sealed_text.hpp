#ifndef BCR_SRC_CORE_SEALED_TEXT_HPP
#define BCR_SRC_CORE_SEALED_TEXT_HPP

#include <string>
#include <string_view>

namespace bcr {

/// A JSON file that knows its own SHA-256: it has a member `"checksum": "<64 digits>"`, the digest of the whole text with
/// zeros in place of the digits. In Python: hashlib.sha256(text.replace(digits, "0" * 64).encode()).
inline constexpr std::string_view open_seal = "0000000000000000000000000000000000000000000000000000000000000000";

/// Puts the digest in the place of the zeros; a text without them stays as it is.
std::string seal(std::string text);

enum class Seal { absent, right, wrong };

Seal seal_of(std::string_view text);

/// Whether a text must have a seal: those of early programs have none.
enum class SealWanted { if_there, always };

/// An IoError that names `source` if the text is not the one that was sealed.
void require_seal(std::string_view text, const std::string& source, SealWanted wanted);

}  // namespace bcr

#endif
