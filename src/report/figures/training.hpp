#ifndef BCR_SRC_REPORT_FIGURES_TRAINING_HPP
#define BCR_SRC_REPORT_FIGURES_TRAINING_HPP

#include "src/report/plot/figure.hpp"
#include "src/report/run/run.hpp"

#include <span>

namespace bcr::report {

/// Loss, accuracy, distances to the anchors and speed over the epochs of a training; those for which there are lines.
Figures training_figures(const TrainLog& log);

/// AUROC over the epochs, a curve for each run; nothing if fewer than two runs were evaluated while they trained.
Figures training_comparison(std::span<const Run> runs);

}  // namespace bcr::report

#endif
