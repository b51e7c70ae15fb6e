#ifndef BCR_SRC_SCALE_P3_CODE_LINES_HPP
#define BCR_SRC_SCALE_P3_CODE_LINES_HPP

#include <filesystem>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace bcr::scale {

/// The lines of code that an application needs on a platform: file and number.
using CodeLines = std::set<std::pair<std::string, int>>;

/// The coverage table of the P3 Analysis Library, `coverage_key,coverage`, as scripts/code-lines writes it: each
/// coverage a JSON list of {"file", "id", "used_lines", "unused_lines"}. IoErrors name `source`, line, and what is
/// missing.
std::map<std::string, CodeLines> parse_coverage(std::string_view text, const std::string& source);
std::map<std::string, CodeLines> read_coverage(const std::filesystem::path& file);

/// Harrell and Kitson's code divergence: the mean over all pairs of platforms of 1 - |a and b| / |a or b|, the lines
/// that they share over those that either needs. 0: one source for all, and for a single platform; 1: nothing is
/// shared.
double code_divergence(std::span<const CodeLines* const> platforms);

}  // namespace bcr::scale

#endif
