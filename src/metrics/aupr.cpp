#include "src/metrics/aupr.hpp"

#include "src/core/host_tasks.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace bcr::metrics {

namespace {

// A sum over groups is cut into blocks of this length and, inside a block, into lanes by group index. Lanes, then
// blocks are added in order: the definition of the sum, whatever the number of threads or the width of vectors.
constexpr std::size_t block = 4096;
constexpr std::size_t lanes = 8;

/// Sums with the rounding errors carried along (Neumaier).
class CompensatedSum {
 public:
  void add(const double term) {
    const double sum = sum_ + term;
    const bool sum_is_larger = (sum_ < 0 ? -sum_ : sum_) >= (term < 0 ? -term : term);
    lost_ += sum_is_larger ? (sum_ - sum) + term : (term - sum) + sum_;
    sum_ = sum;
  }
  double value() const { return sum_ + lost_; }

 private:
  double sum_ = 0;
  double lost_ = 0;
};

/// TP_i and TP_i + FP_i as doubles (exact). Two classes instead of one branch, so that the sum's loop vectorises.
class KnownFirst {
 public:
  explicit KnownFirst(const ScoreSweep& sweep)
      : known_(sweep.known_above().data()), unknown_(sweep.unknown_above().data()) {}
  std::int32_t positives(const std::size_t i) const { return known_[i]; }
  std::int32_t both(const std::size_t i) const { return known_[i] + unknown_[i]; }

 private:
  const std::int32_t* known_;
  const std::int32_t* unknown_;
};

class UnknownFirst {
 public:
  explicit UnknownFirst(const ScoreSweep& sweep)
      : known_(sweep.known_above().data() + sweep.groups()),
        unknown_(sweep.unknown_above().data() + sweep.groups()),
        all_unknown_(sweep.unknown()),
        all_(sweep.known() + sweep.unknown()) {}
  std::int32_t positives(const std::size_t i) const { return all_unknown_ - unknown_[-std::ptrdiff_t(i)]; }
  std::int32_t both(const std::size_t i) const {
    return all_ - known_[-std::ptrdiff_t(i)] - unknown_[-std::ptrdiff_t(i)];
  }

 private:
  const std::int32_t* known_;
  const std::int32_t* unknown_;
  std::int32_t all_unknown_;
  std::int32_t all_;
};

/// (positives that arrive with group i + 1) times the precision of group i + 1, which is `step`, or of group i.
/// Divisions of integers: no product is added, so contraction cannot change a bit.
struct AtStepEnd {
  template <class Counts>
  static double term(const Counts& counts, const std::size_t i) {
    const auto arrived = static_cast<double>(counts.positives(i + 1) - counts.positives(i));
    return arrived * static_cast<double>(counts.positives(i + 1)) / static_cast<double>(counts.both(i + 1));
  }
};

struct AtStepBegin {
  template <class Counts>
  static double term(const Counts& counts, const std::size_t i) {
    const auto arrived = static_cast<double>(counts.positives(i + 1) - counts.positives(i));
    const std::int32_t both = std::max(counts.both(i), 1);  // 0 only before the first group, whose precision is 1
    const std::int32_t right = i == 0 ? 1 : counts.positives(i);
    return arrived * static_cast<double>(right) / static_cast<double>(both);
  }
};

template <class Term, class Counts>
double sum_of_terms(const Counts& counts, const std::size_t groups) {
  std::vector<double> sums(parts_in(groups, block));
  for_each_task("bcr::metrics::aupr", sums.size(), [&](const std::size_t task) {
    const IndexRange part = part_of(groups, block, task);
    std::array<double, lanes> lane{};
    std::size_t i = part.begin;
    for (; i + lanes <= part.end; i += lanes) {
      for (std::size_t j = 0; j < lanes; ++j) lane[j] += Term::term(counts, i + j);
    }
    for (std::size_t j = 0; i + j < part.end; ++j) lane[j] += Term::term(counts, i + j);
    for (std::size_t j = 1; j < lanes; ++j) lane[0] += lane[j];
    sums[task] = lane[0];
  });
  CompensatedSum total;
  for (const double sum : sums) total.add(sum);
  return total.value();
}

template <class Term>
double sum_of_precisions(const ScoreSweep& sweep, const Positive positive) {
  if (positive == Positive::known) return sum_of_terms<Term>(KnownFirst(sweep), sweep.groups());
  return sum_of_terms<Term>(UnknownFirst(sweep), sweep.groups());
}

double positives_of(const ScoreSweep& sweep, const Positive positive) {
  return static_cast<double>(positive == Positive::known ? sweep.known() : sweep.unknown());
}

}  // namespace

double average_precision(const ScoreSweep& sweep, const Positive positive) {
  require_both(sweep, "average_precision");
  return sum_of_precisions<AtStepEnd>(sweep, positive) / positives_of(sweep, positive);
}

double aupr_trapezoid(const ScoreSweep& sweep, const Positive positive) {
  require_both(sweep, "aupr_trapezoid");
  const double at_end = sum_of_precisions<AtStepEnd>(sweep, positive);
  const double at_begin = sum_of_precisions<AtStepBegin>(sweep, positive);
  return (at_end + at_begin) / (2 * positives_of(sweep, positive));
}

}  // namespace bcr::metrics
