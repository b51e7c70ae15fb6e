#ifndef BCR_SRC_TABLE_RESULT_RESULTS_HPP
#define BCR_SRC_TABLE_RESULT_RESULTS_HPP

#include "src/metrics/trials.hpp"
#include "src/run/metrics_file.hpp"
#include "src/table/plan/run_plan.hpp"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace bcr::table {

/// What one place of a table is about.
struct PlaceKey {
  std::string setting;
  std::string unknown;  ///< what the paper calls the set; "" for the only one, or the average
  std::string method;
  std::optional<double> lambda;
  std::string metric;
};

/// How far a mean of ours lies from the paper's.
struct Difference {
  double value = 0;                   ///< ours - paper's
  std::optional<double> in_deviations;  ///< nothing for a single trial
};

/// `published` is a mean of five trials whose deviation is not printed; it is taken to be ours, s. The difference of
/// two such means, of n and of five, then has the deviation s sqrt(1/n + 1/5).
Difference difference_from(const metrics::TrialSummary& ours, double published);

/// From two deviations on a difference is marked.
enum class Mark { none, within, above, below, unknown };
Mark mark_of(const std::optional<Difference>& difference);
std::string_view mark_text(Mark mark);  ///< "≈", "↑", "↓", "?" or ""

/// One place of a table: our mean and deviation over trials, and the paper's number.
struct Place {
  PlaceKey key;
  std::optional<metrics::TrialSummary> ours;
  std::optional<double> published;
  std::string shown_as;  ///< the method under which the table shows it

  std::optional<Difference> difference() const;
};

/// A weight of the background term that was chosen, and what it was chosen by.
struct LambdaChoice {
  std::string setting;
  std::string method;
  double lambda = 0;
  std::map<double, metrics::TrialSummary> validation_accuracy;  ///< of each weight that was tried
};

struct Results {
  std::vector<Place> places;  ///< by setting, unknown set, method, lambda, metric, in the order of the plan
  std::vector<LambdaChoice> choices;
  std::size_t evaluated = 0;  ///< readings that there are numbers of
};

/// `metrics` are those of the evaluations of the plan, or nothing. Published numbers stand in the places that the paper
/// has, whether we have one or not; not in averages over fewer sets than the paper's.
Results gather(const RunPlan& plan, const std::vector<std::optional<run::Metrics>>& metrics);

/// The best weight on validation images: the highest mean accuracy, of equal ones the first.
double choose_lambda(const std::map<double, metrics::TrialSummary>& validation_accuracy);

}  // namespace bcr::table

#endif
