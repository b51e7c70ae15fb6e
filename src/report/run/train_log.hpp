#ifndef BCR_SRC_REPORT_RUN_TRAIN_LOG_HPP
#define BCR_SRC_REPORT_RUN_TRAIN_LOG_HPP

#include "src/report/plot/drawing.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bcr::report {

/// One line of train.jsonl: its numbers under dotted keys ("loss.total").
struct LogRecord {
  std::map<std::string, double> numbers;

  std::optional<double> number(const std::string& key) const;
};

/// What a training wrote while it ran, in the order of steps. Of two lines of the same kind and step the later counts.
struct TrainLog {
  std::vector<LogRecord> steps;
  std::vector<LogRecord> epochs;
  std::vector<LogRecord> evaluations;
  std::size_t resumes = 0;
  std::string end_reason;      ///< empty while the training has not ended
  std::size_t torn_lines = 0;  ///< left out: a full disk kept half of them

  bool empty() const { return steps.empty() && epochs.empty() && evaluations.empty(); }
};

/// A line that is no JSON object, or the last one without its line break, is what a full disk or a killed program
/// leaves, and is passed over. An IoError that names source and line if there is nothing but such lines.
TrainLog parse_train_log(std::string_view text, const std::string& source);

/// The points (epoch, value) of the records that have both; steps stand in for epochs that are not there.
std::vector<Point> series_of(const std::vector<LogRecord>& records, const std::string& key);

}  // namespace bcr::report

#endif
