#ifndef BCR_SRC_REPORT_FIGURES_CONFUSION_HPP
#define BCR_SRC_REPORT_FIGURES_CONFUSION_HPP

#include "src/report/plot/figure.hpp"
#include "src/report/run/run.hpp"

namespace bcr::report {

/// True against given class. With a threshold and unknown images there is a class "unknown" more, else nothing is
/// rejected.
Figures confusion_figures(const Run& run);

}  // namespace bcr::report

#endif
