#ifndef BCR_SRC_METRICS_MACRO_F1_HPP
#define BCR_SRC_METRICS_MACRO_F1_HPP

#include "src/metrics/confusion_matrix.hpp"

namespace bcr::metrics {

enum class F1Definition {
  /// F1_c = 2 TP_c / (2 TP_c + FP_c + FN_c), 0 where that is 0 / 0; the unweighted mean over all classes of the matrix.
  /// scikit-learn's f1_score(labels = all classes, average = "macro", zero_division = 0); what AOSR reports.
  mean_of_f1,
  /// Harmonic mean of mean precision and mean recall, with TP_c / (TP_c + FP_c + 1) and TP_c / (TP_c + FN_c + 1); 0 if
  /// both vanish. The published script of CGDL.
  harmonic_of_means
};

/// Macro-averaged F measure. Pass the (C + 1) x (C + 1) matrix of open_set_confusion for the open-set number.
double macro_f1(const ConfusionMatrix& matrix, F1Definition definition = F1Definition::mean_of_f1);

}  // namespace bcr::metrics

#endif
