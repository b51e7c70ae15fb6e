#ifndef BCR_SRC_IDENTITY_GOLDEN_HPP
#define BCR_SRC_IDENTITY_GOLDEN_HPP

#include <filesystem>
#include <map>
#include <string>

namespace bcr::identity {

/// Subject -> SHA-256, as kept in tests/identity/golden.txt: one "name digest" per line, '#' starts a comment.
using Golden = std::map<std::string, std::string>;

/// Throws IoError for a missing file or a line that is not of this form.
Golden read_golden(const std::filesystem::path& file);

/// The text of such a file.
std::string golden_text(const Golden& golden);

}  // namespace bcr::identity

#endif
