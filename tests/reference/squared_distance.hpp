#ifndef BCR_TESTS_REFERENCE_SQUARED_DISTANCE_HPP
#define BCR_TESTS_REFERENCE_SQUARED_DISTANCE_HPP

#include "tests/support/host_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace bcr::reference {

/// D^2(i, c) = sum_d (src(i, d) - centres(c, d))^2, plainly and in double.
template <class T>
std::vector<double> squared_distance(const test::HostMatrix<T>& src, const test::HostMatrix<T>& centres) {
  std::vector<double> dst;
  for (int i = 0; i < src.rows; ++i)
    for (int c = 0; c < centres.rows; ++c) {
      double sum = 0;
      for (int d = 0; d < src.columns; ++d) {
        const double difference = double(src(i, d)) - double(centres(c, d));
        sum += difference * difference;
      }
      dst.push_back(sum);
    }
  return dst;
}

/// A gradient and, for each of its entries, the sum of the magnitudes that were added: the scale of its error.
struct Gradient {
  std::vector<double> value;
  std::vector<double> magnitude;
};

/// sum_j 2 weight(i, j) (own(i, d) - other(j, d)) with weight = diff_dst or its transpose.
template <class T, class Weight>
Gradient weighted_differences(const test::HostMatrix<T>& own, const test::HostMatrix<T>& other, const Weight& weight) {
  Gradient gradient;
  for (int i = 0; i < own.rows; ++i)
    for (int d = 0; d < own.columns; ++d) {
      double sum = 0;
      double magnitude = 0;
      for (int j = 0; j < other.rows; ++j) {
        const double term = 2 * double(weight(i, j)) * (double(own(i, d)) - double(other(j, d)));
        sum += term;
        magnitude += std::abs(term);
      }
      gradient.value.push_back(sum);
      gradient.magnitude.push_back(magnitude);
    }
  return gradient;
}

/// The documented order of summation in T, one output at a time: chunks of 128, a chain of fma in each, chunks in
/// order.
template <class T, class Term>
T chained_sum(const int length, const Term& fused_term) {
  T total = 0;
  for (int first = 0; first < length; first += 128) {
    T sum = 0;
    for (int j = first; j < std::min(first + 128, length); ++j) sum = fused_term(j, sum);
    total = first == 0 ? sum : total + sum;
  }
  return total;
}

template <class T>
std::vector<T> squared_distance_by_definition(const test::HostMatrix<T>& src, const test::HostMatrix<T>& centres) {
  std::vector<T> dst;
  for (int i = 0; i < src.rows; ++i)
    for (int c = 0; c < centres.rows; ++c) {
      dst.push_back(chained_sum<T>(src.columns, [&](const int d, const T sum) {
        const T difference = src(i, d) - centres(c, d);
        return std::fma(difference, difference, sum);
      }));
    }
  return dst;
}

template <class T, class Weight>
std::vector<T> weighted_differences_by_definition(const test::HostMatrix<T>& own, const test::HostMatrix<T>& other,
                                                  const Weight& weight) {
  std::vector<T> out;
  for (int i = 0; i < own.rows; ++i)
    for (int d = 0; d < own.columns; ++d) {
      out.push_back(T(2) * chained_sum<T>(other.rows, [&](const int j, const T sum) {
                      const T difference = own(i, d) - other(j, d);
                      return std::fma(weight(i, j), difference, sum);
                    }));
    }
  return out;
}

}  // namespace bcr::reference

#endif
