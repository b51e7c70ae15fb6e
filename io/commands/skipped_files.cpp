#include "io/commands/skipped_files.hpp"

#include "src/core/csv.hpp"

#include <algorithm>

namespace bcr::io {

namespace {

constexpr std::size_t most_told = 5;

}  // namespace

void SkippedFiles::tell(const Log& log) const {
  for (std::size_t i = 0; i < std::min(files_.size(), most_told); ++i)
    log.warning("data", "left out {}: {}", files_[i].first, files_[i].second);
  if (files_.size() > most_told) log.warning("data", "left out {} files; --skipped FILE lists all", files_.size());
}

std::string SkippedFiles::csv() const {
  std::string text = "file,reason\n";
  for (const auto& [file, reason] : files_) text += csv_field(file) + "," + csv_field(reason) + "\n";
  return text;
}

}  // namespace bcr::io
