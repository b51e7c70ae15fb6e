#ifndef BCR_SRC_SCORES_DENSE_HPP
#define BCR_SRC_SCORES_DENSE_HPP

#include <cstddef>
#include <span>
#include <vector>

namespace bcr::scores {

// Dense matrices of a few hundred rows in double on the host's threads. Every number is a sum in an order that is part
// of its definition, made of +, -, *, / and sqrt alone, so the bits depend on the inputs and on nothing else.

/// sum_i a_i b_i: lane l of eight sums i = l mod 8 in ascending order; then ((0+4)+(2+6)) + ((1+5)+(3+7)).
double dot(const double* a, const double* b, std::size_t size);

/// gram(i, j) += sum_r rows(r, i) rows(r, j), rows ascending, one after the other: the same bits however the rows are
/// cut into calls. gram [n, n], rows [count, n]. count n^2 / 2 multiplications and additions.
void add_gram(std::span<const double> rows, std::size_t n, std::span<double> gram);

/// dst(i, k) = dot(a row i, b row k): a [count, n], b [m, n], dst [count, m]. By the calling thread alone: callers
/// share out blocks of about a hundred rows, which stay in a cache.
void multiply_rows(std::span<const double> a, std::span<const double> b, std::size_t n, std::span<double> dst);

struct Eigenpairs {
  std::vector<double> values;   ///< descending
  std::vector<double> vectors;  ///< row k is the unit vector of value k, its entry of largest magnitude positive
};

/// Of a symmetric matrix [n, n]: Householder's reduction to three diagonals, then the QL algorithm with implicit shifts
/// (Golub and van Loan, Matrix Computations, 8.3). Error: a small multiple of n times the unit roundoff, relative to
/// the largest eigenvalue. About 5 n^3 operations. NumericsError for an entry that is not finite.
Eigenpairs symmetric_eigenpairs(std::vector<double> matrix, std::size_t n);

}  // namespace bcr::scores

#endif
