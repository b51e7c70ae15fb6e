#include "src/report/plot/page.hpp"

#include "src/core/atomic_file.hpp"
#include "src/core/build_info.hpp"
#include "src/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <system_error>

namespace bcr::report {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

/// Bytes of the UTF-8 sequence at the front of `text`, 0 if there is none: overlong forms, surrogates and values beyond
/// U+10FFFF are none (Unicode, table 3-7).
std::size_t sequence_length(const std::string_view text) {
  const auto byte = [&](const std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const auto within = [&](const std::size_t i, const unsigned low, const unsigned high) {
    return byte(i) >= low && byte(i) <= high;
  };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return within(1, 0x80, 0xBF) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    const unsigned low = first == 0xE0 ? 0xA0 : 0x80;
    const unsigned high = first == 0xED ? 0x9F : 0xBF;
    return within(1, low, high) && within(2, 0x80, 0xBF) ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    const unsigned low = first == 0xF0 ? 0x90 : 0x80;
    const unsigned high = first == 0xF4 ? 0x8F : 0xBF;
    return within(1, low, high) && within(2, 0x80, 0xBF) && within(3, 0x80, 0xBF) ? 4 : 0;
  }
  return 0;
}

std::string_view escape_ascii(const char& letter) {
  switch (letter) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    case '\t':
    case '\n':
      return {&letter, 1};
    default:
      return static_cast<unsigned char>(letter) < 0x20 || letter == 0x7F ? replacement : std::string_view(&letter, 1);
  }
}

}  // namespace

std::string escape(const std::string_view text) {
  std::string safe;
  safe.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = sequence_length(text.substr(i));
    if (length == 0) {
      safe += replacement;
    } else if (length == 1) {
      safe += escape_ascii(text[i]);
    } else {
      safe += text.substr(i, length);
    }
    i += std::max<std::size_t>(length, 1);
  }
  return safe;
}

std::string base64(const std::span<const std::uint8_t> bytes) {
  constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t here = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 3; ++k) word = word << 8 | (k < here ? bytes[i + k] : 0U);
    for (std::size_t k = 0; k < 4; ++k) text += k <= here ? alphabet[word >> (18 - 6 * k) & 63U] : '=';
  }
  return text;
}

std::string file_name(const std::string_view text) {
  std::string name;
  for (const char letter : text) {
    const bool upper = letter >= 'A' && letter <= 'Z';
    const bool plain = (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') || letter == '.';
    name += upper ? static_cast<char>(letter - 'A' + 'a') : (plain ? letter : '-');
  }
  return name;
}

std::string page_head(const std::string& title, const std::string& maker) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"generator\" content=\"{0}\">\n"
      "<title>{1}</title>\n<style>\n{2}{3}</style>\n</head>\n<body>\n<main>\n",
      escape(maker), escape(title), page_style(), plot_style());
}

std::string page_foot(const std::string& maker) {
  return fmt::format(
      "</main>\n<footer>Made by {0} {1}. This page is complete: it loads nothing from anywhere.</footer>\n"
      "</body>\n</html>\n",
      escape(maker), escape(build_info().version));
}

void Page::add_heading(const int level, const std::string_view text) {
  body_ += fmt::format("<h{0}>{1}</h{0}>\n", level, escape(text));
}

void Page::add_note(const std::string_view text) {
  body_ += fmt::format("<p class=\"note\">{}</p>\n", escape(text));
}

void Page::add_figures(const Figures& figures, const std::string& prefix) {
  if (figures.empty()) return;
  body_ += "<div class=\"figures\">\n";
  for (const Figure& figure : figures) {
    body_ += fmt::format("<figure class=\"plate\"><h4>{}</h4>\n{}<figcaption>{}</figcaption></figure>\n",
                         escape(figure.drawing.title()), figure.drawing.element(), escape(figure.caption));
    files_.push_back({prefix + figure.file + ".svg", figure.drawing.file()});
  }
  body_ += "</div>\n";
}

std::string Page::html() const {
  return page_head(title_, maker_) + body_ + page_foot(maker_);
}

void Page::write(const std::filesystem::path& page, const std::filesystem::path& plots) const {
  std::error_code error;
  std::filesystem::create_directories(plots, error);
  if (error) throw IoError("make " + plots.string(), "a directory", error.message());
  for (const SvgFile& file : files_) write_file(plots / file.name, file.text);
  write_file(page, html());
}

}  // namespace bcr::report
