#ifndef BCR_SRC_SCALE_STUDY_STUDY_HPP
#define BCR_SRC_SCALE_STUDY_STUDY_HPP

#include "src/scale/p3/portability.hpp"
#include "src/scale/study/study_result.hpp"

#include <functional>

namespace bcr::scale {

/// The commands that a study starts, one line each.
std::string study_commands(const StudyOptions& options, const std::string& program);

/// Measures every point that is not there yet, each by a process of its own: threads are chosen when a program starts.
/// A point that fails is told and left out. `stop` ends the study before the next point, and the point under way.
/// `again` measures everything anew.
enum class Kept { reused, again };
StudyResult run_study(const StudyOptions& options, const std::filesystem::path& out, const std::string& program,
                      Kept kept, const Log& log, const std::function<bool()>& stop);

/// Writes study.csv (P3), study.json, report.html, plots/*.svg and study.toml; returns the table for people.
std::string write_study(const StudyResult& result, const std::filesystem::path& out);

/// Everything about a study as JSON: sweeps with their numbers, prediction, portability, failures, and each point with
/// its samples.
std::string study_json(const StudyResult& result, std::span<const MeasuredSeries> series,
                       std::span<const StudyPrediction> predictions, std::span<const ProblemPortability> portability);

}  // namespace bcr::scale

#endif
