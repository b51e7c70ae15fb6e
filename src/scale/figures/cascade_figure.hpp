#ifndef BCR_SRC_SCALE_FIGURES_CASCADE_FIGURE_HPP
#define BCR_SRC_SCALE_FIGURES_CASCADE_FIGURE_HPP

#include "src/report/plot/figure.hpp"
#include "src/scale/p3/portability_table.hpp"

namespace bcr::scale {

/// Efficiency and portability of each application, platform after platform from its best to its worst: one figure for
/// each problem that at least two applications solve, or that was run on at least two platforms.
report::Figures cascade_figures(std::span<const ProblemPortability> problems);

}  // namespace bcr::scale

#endif
