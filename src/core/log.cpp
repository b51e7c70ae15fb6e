#include "src/core/log.hpp"

#include <fmt/format.h>
#include <spdlog/logger.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/ansicolor_sink.h>
#include <unistd.h>

#include <string>

namespace bcr {
namespace {

spdlog::level::level_enum to_spdlog(const LogLevel level) {
  switch (level) {
    case LogLevel::debug:
      return spdlog::level::debug;
    case LogLevel::info:
      return spdlog::level::info;
    case LogLevel::warning:
      return spdlog::level::warn;
    case LogLevel::error:
      return spdlog::level::err;
    case LogLevel::off:
      break;
  }
  return spdlog::level::off;
}

// The level as five letters, so that the rooms line up.
class LevelFlag : public spdlog::custom_flag_formatter {
 public:
  void format(const spdlog::details::log_msg& message, const std::tm&, spdlog::memory_buf_t& out) override {
    const std::string_view text = label(message.level);
    out.append(text.data(), text.data() + text.size());
  }

  std::unique_ptr<spdlog::custom_flag_formatter> clone() const override { return std::make_unique<LevelFlag>(); }

 private:
  static std::string_view label(const spdlog::level::level_enum level) {
    switch (level) {
      case spdlog::level::debug:
        return "debug";
      case spdlog::level::info:
        return "info ";
      case spdlog::level::warn:
        return "warn ";
      default:
        return "error";
    }
  }
};

std::unique_ptr<spdlog::formatter> line_formatter() {
  auto formatter = std::make_unique<spdlog::pattern_formatter>();
  formatter->add_flag<LevelFlag>('L').set_pattern("%^%L%$ %v");  // %^ and %$ enclose what is coloured
  return formatter;
}

}  // namespace

struct Log::Sink {
  using ColourSink = spdlog::sinks::ansicolor_sink<spdlog::details::console_mutex>;

  Sink(const LogLevel level, std::FILE* const stream)
      : terminal(isatty(fileno(stream)) != 0),
        logger("bcr", std::make_shared<ColourSink>(stream, spdlog::color_mode::automatic)) {
    logger.set_formatter(line_formatter());
    logger.set_level(to_spdlog(level));
    logger.flush_on(spdlog::level::trace);
  }

  bool terminal;
  spdlog::logger logger;
};

Log::Log(const LogLevel level, std::FILE* const stream) : sink_(std::make_shared<Sink>(level, stream)) {}

void Log::write(const LogLevel level, const std::string_view room, const fmt::string_view text,
                const fmt::format_args args) const {
  if (!enabled(level)) return;
  sink_->logger.log(to_spdlog(level), fmt::format("[{}] {}", room, fmt::vformat(text, args)));
}

bool Log::enabled(const LogLevel level) const {
  return level != LogLevel::off && sink_->logger.should_log(to_spdlog(level));
}

void Log::set_level(const LogLevel level) const {
  sink_->logger.set_level(to_spdlog(level));
}

bool Log::is_terminal() const {
  return sink_->terminal;
}

}  // namespace bcr
