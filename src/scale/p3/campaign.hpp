#ifndef BCR_SRC_SCALE_P3_CAMPAIGN_HPP
#define BCR_SRC_SCALE_P3_CAMPAIGN_HPP

#include "src/scale/p3/p3_table.hpp"

#include <span>
#include <string>
#include <vector>

namespace bcr::scale {

/// What one machine measured, or one program on it.
struct CampaignTable {
  std::string source;  ///< the file, for messages
  std::vector<P3Row> rows;
};

/// Machines that are judged together.
struct PlatformSet {
  std::string name;  ///< "all platforms", "GPUs", "CPUs"
  std::vector<std::string> machines;
};

/// Tables that can be held against each other, as one.
struct Campaign {
  std::vector<P3Row> rows;            ///< of problems that were measured on every machine
  std::vector<PlatformSet> sets;      ///< all platforms first; GPUs and CPUs if there are both
  std::vector<std::string> left_out;  ///< problems that some machine lacks
};

/// Joins tables. A problem is compared where every machine has it, by whichever application; an application that a
/// machine lacks does not run there. Counts of a problem and roofs of a platform are those of the rows that know them.
/// IoErrors, which name the tables, for what is not comparable:
///   a row that does not say which program measured it;
///   an application in two versions;
///   one application, problem and platform in two tables: the machines need names of their own;
///   a machine that is a CPU in one row and a GPU in another;
///   tables without a problem that every machine has.
Campaign join_campaigns(std::span<const CampaignTable> tables);

}  // namespace bcr::scale

#endif
