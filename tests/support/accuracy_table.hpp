#ifndef BCR_TESTS_SUPPORT_ACCURACY_TABLE_HPP
#define BCR_TESTS_SUPPORT_ACCURACY_TABLE_HPP

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <limits>
#include <string>

namespace bcr::test {

/// |computed - exact| in units in the last place of T at the exact value; gradual underflow keeps the last unit of the
/// smallest normal number. Exact is a multiprecision type; NaN and infinity never pass: they count as infinite errors.
template <class T, class Exact>
double ulp_error(const T computed, const Exact& exact) {
  if (!std::isfinite(computed)) return std::numeric_limits<double>::infinity();
  int exponent = 0;
  using std::frexp;
  static_cast<void>(frexp(exact, &exponent));
  if (exponent < std::numeric_limits<T>::min_exponent) exponent = std::numeric_limits<T>::min_exponent;
  using std::ldexp;
  const Exact unit = ldexp(Exact(1), exponent - std::numeric_limits<T>::digits);
  const Exact error = (Exact(computed) - exact) / unit;
  return std::fabs(static_cast<double>(error));
}

/// Peak and mean of the errors of one regime.
class Accuracy {
 public:
  void add(const double error, const double at) {
    sum_ += error;
    ++count_;
    if (error <= peak_) return;
    peak_ = error;
    at_ = at;
  }

  double peak() const { return peak_; }
  double mean() const { return count_ == 0 ? 0 : sum_ / static_cast<double>(count_); }
  double at() const { return at_; }
  std::size_t count() const { return count_; }

 private:
  double peak_ = 0;
  double sum_ = 0;
  double at_ = 0;
  std::size_t count_ = 0;
};

/// One line per regime, in a form that can be pasted into the documentation.
inline void print_accuracy(const std::string& function, const std::string& regime, const Accuracy& accuracy) {
  std::printf("| %-14s | %-28s | %7zu | %7.4f | %7.4f | %22.14a |\n", function.c_str(), regime.c_str(),
              accuracy.count(), accuracy.peak(), accuracy.mean(), accuracy.at());
}

inline void print_accuracy_header() {
  std::printf("| %-14s | %-28s | %7s | %7s | %7s | %22s |\n", "function", "regime", "points", "peak", "mean",
              "peak at");
  std::printf(
      "|----------------|------------------------------|---------|---------|---------|------------------------|\n");
}

}  // namespace bcr::test

#endif
