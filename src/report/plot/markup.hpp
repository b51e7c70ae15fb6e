#ifndef BCR_SRC_REPORT_PLOT_MARKUP_HPP
#define BCR_SRC_REPORT_PLOT_MARKUP_HPP

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace bcr::report {

/// Text made safe for HTML and XML, between tags and inside quoted attributes. Control characters that XML forbids and
/// bytes that are no UTF-8 become U+FFFD, so that whatever a file says, the page stays well formed.
std::string escape(std::string_view text);

/// RFC 4648, with padding.
std::string base64(std::span<const std::uint8_t> bytes);

/// A name made safe for a file: lower case, digits, '-' and '.'; anything else becomes '-'.
std::string file_name(std::string_view text);

}  // namespace bcr::report

#endif
