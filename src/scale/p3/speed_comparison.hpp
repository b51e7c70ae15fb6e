#ifndef BCR_SRC_SCALE_P3_SPEED_COMPARISON_HPP
#define BCR_SRC_SCALE_P3_SPEED_COMPARISON_HPP

#include "src/scale/p3/p3_table.hpp"

#include <optional>

namespace bcr::scale {

enum class Verdict { same, faster, slower, only_before, only_after };

/// One case of two tables: what both call by the same application, problem and platform.
struct SpeedComparison {
  std::string application;
  std::string problem;
  std::string platform;
  std::optional<double> before;  ///< seconds; the median where a table has the case more than once
  std::optional<double> after;
  Verdict verdict = Verdict::same;

  /// before / after: 2 is twice as fast. Only where both are there.
  double speed_up() const { return *before / *after; }
};

/// All cases, those of `before` first, in the order in which they come. A case is slower if its time grew by more than
/// the share `flag`, and faster if it would be slower the other way round.
std::vector<SpeedComparison> compare_tables(std::span<const P3Row> before, std::span<const P3Row> after, double flag);

/// A table for people, and its last line: how many are slower, faster, the same, missing, new.
std::string comparison_text(std::span<const SpeedComparison> cases);

bool any_slower(std::span<const SpeedComparison> cases);
bool any_common(std::span<const SpeedComparison> cases);

}  // namespace bcr::scale

#endif
