#ifndef BCR_SRC_RUN_TRAIN_LOG_HPP
#define BCR_SRC_RUN_TRAIN_LOG_HPP

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace bcr::run {

/// One line of train.jsonl: its kind, and values under dotted keys ("loss.total") in the order of the line.
class LogRecord {
 public:
  using Value = std::variant<std::int64_t, double, std::string>;

  LogRecord() = default;
  explicit LogRecord(std::string kind) : kind_(std::move(kind)) {}

  LogRecord& set(std::string key, Value value);

  const std::string& kind() const noexcept { return kind_; }
  const std::vector<std::pair<std::string, Value>>& values() const noexcept { return values_; }
  /// A finite number, integer or not, or nothing.
  std::optional<double> number(std::string_view key) const;
  std::string text(std::string_view key) const;

  /// The line, without its line feed. Numbers that JSON cannot hold (NaN, infinity) are null, and absent when read again.
  std::string to_line() const;

  bool operator==(const LogRecord&) const = default;

 private:
  friend std::optional<LogRecord> parse_line(std::string_view line);

  std::string kind_;
  std::vector<std::pair<std::string, Value>> values_;
};

/// The record of a line; nothing if it is no JSON object.
std::optional<LogRecord> parse_line(std::string_view line);

/// What a training wrote while it ran, in the order of steps. Of two lines of the same kind and step the later counts.
struct TrainLog {
  std::vector<LogRecord> steps;
  std::vector<LogRecord> epochs;
  std::vector<LogRecord> validations;
  std::vector<LogRecord> evaluations;
  std::vector<LogRecord> weights;  ///< their SHA-256, of train.hash_every
  std::size_t resumes = 0;
  std::string end_reason;      ///< empty while the training has not ended
  std::size_t torn_lines = 0;  ///< left out: a full disk kept half of them
  bool is_chained = false;     ///< whether its lines have digests; those of early programs do not

  bool empty() const { return steps.empty() && epochs.empty() && evaluations.empty(); }
};

/// A line that is no JSON object, or the last one without its line break, is what a full disk or a killed program
/// leaves, and is passed over. An IoError that names source and line if there is nothing but such lines, or if a line is
/// not the one that was written there.
TrainLog parse_train_log(std::string_view text, const std::string& source);

/// train.jsonl for writing: grows by whole lines, each written at once, so that a reader (or a kill) never meets half of
/// one. A disk that is full may take half of one all the same: opening the file cuts it off. A new file begins with a
/// line that says its format. Every line ends with "chain", the first 16 digits of the SHA-256 of the chain of the line
/// before and this line without its own: none can be changed, left out or put in unseen.
class TrainLogFile {
 public:
  explicit TrainLogFile(const std::filesystem::path& path);
  ~TrainLogFile();
  TrainLogFile(const TrainLogFile&) = delete;
  TrainLogFile& operator=(const TrainLogFile&) = delete;

  /// Throws an IoError if the disk is full.
  void append(const LogRecord& record);

  /// Length of the half line that was found at the end and cut off.
  std::size_t bytes_cut() const noexcept { return bytes_cut_; }

 private:
  void cut_half_line();

  std::filesystem::path path_;
  int descriptor_;
  std::size_t bytes_cut_ = 0;
  std::string chain_;  ///< of the last line
};

}  // namespace bcr::run

#endif
