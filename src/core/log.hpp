#ifndef BCR_SRC_CORE_LOG_HPP
#define BCR_SRC_CORE_LOG_HPP

#include <fmt/core.h>

#include <array>
#include <cstdio>
#include <memory>
#include <string_view>
#include <utility>

namespace bcr {

enum class LogLevel { debug, info, warning, error, off };

constexpr auto enum_names(LogLevel) {
  using enum LogLevel;
  return std::array{std::pair{std::string_view("debug"), debug}, std::pair{std::string_view("info"), info},
                    std::pair{std::string_view("warning"), warning}, std::pair{std::string_view("error"), error},
                    std::pair{std::string_view("off"), off}};
}

/// Talk for people, on stderr; stdout belongs to data. A line reads `info  [nn] conv1 runs on oneDNN`: level, the room
/// that speaks, what it says. Coloured on a terminal, plain otherwise. A Log is a handle: copies write to the same
/// place, from any thread; there is no global one, it travels in the Context.
class Log {
 public:
  /// Writes to `stream`, which must outlive every copy.
  explicit Log(LogLevel level = LogLevel::info, std::FILE* stream = stderr);

  template <class... Args>
  void debug(const std::string_view room, const fmt::format_string<Args...> text, Args&&... args) const {
    write(LogLevel::debug, room, text, fmt::make_format_args(args...));
  }
  template <class... Args>
  void info(const std::string_view room, const fmt::format_string<Args...> text, Args&&... args) const {
    write(LogLevel::info, room, text, fmt::make_format_args(args...));
  }
  template <class... Args>
  void warning(const std::string_view room, const fmt::format_string<Args...> text, Args&&... args) const {
    write(LogLevel::warning, room, text, fmt::make_format_args(args...));
  }
  template <class... Args>
  void error(const std::string_view room, const fmt::format_string<Args...> text, Args&&... args) const {
    write(LogLevel::error, room, text, fmt::make_format_args(args...));
  }

  /// Formats only if a line of this level is written.
  void write(LogLevel level, std::string_view room, fmt::string_view text, fmt::format_args args) const;

  bool enabled(LogLevel level) const;
  void set_level(LogLevel level) const;

  /// True where a progress bar may redraw its line.
  bool is_terminal() const;

 private:
  struct Sink;
  std::shared_ptr<Sink> sink_;
};

}  // namespace bcr

#endif
