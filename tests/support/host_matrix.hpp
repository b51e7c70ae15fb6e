#ifndef BCR_TESTS_SUPPORT_HOST_MATRIX_HPP
#define BCR_TESTS_SUPPORT_HOST_MATRIX_HPP

#include "src/core/views.hpp"

#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

namespace bcr::test {

/// A row-major matrix in plain host memory: what references read and devices are filled from.
template <class T>
struct HostMatrix {
  int rows = 0;
  int columns = 0;
  std::vector<T> entries;

  HostMatrix(const int rows_, const int columns_)
      : rows(rows_), columns(columns_), entries(static_cast<std::size_t>(rows_) * columns_) {}

  T& operator()(const int i, const int j) { return entries[static_cast<std::size_t>(i) * columns + j]; }
  T operator()(const int i, const int j) const { return entries[static_cast<std::size_t>(i) * columns + j]; }
};

template <class T>
HostMatrix<T> random_integers(const int rows, const int columns, const int low, const int high, const unsigned seed) {
  HostMatrix<T> matrix(rows, columns);
  std::mt19937 engine(seed);
  const unsigned span = static_cast<unsigned>(high - low + 1);
  for (T& entry : matrix.entries) entry = static_cast<T>(low + static_cast<int>(engine() % span));
  return matrix;
}

/// Uniform in [low, high), the same on every standard library.
template <class T>
HostMatrix<T> random_reals(const int rows, const int columns, const double low, const double high,
                           const unsigned seed) {
  HostMatrix<T> matrix(rows, columns);
  std::mt19937 engine(seed);
  for (T& entry : matrix.entries) entry = static_cast<T>(low + (high - low) * (engine() * 0x1p-32));
  return matrix;
}

template <class Exec, class T>
Matrix<T, Exec> to_device(const HostMatrix<T>& matrix) {
  Matrix<T, Exec> device("bcr::tests::matrix", matrix.rows, matrix.columns);
  const auto mirror = Kokkos::create_mirror_view(device);
  for (int i = 0; i < matrix.rows; ++i)
    for (int j = 0; j < matrix.columns; ++j) mirror(i, j) = matrix(i, j);
  Kokkos::deep_copy(device, mirror);
  return device;
}

template <class Exec, class T>
Vector<T, Exec> to_device(const std::vector<T>& values) {
  Vector<T, Exec> device("bcr::tests::vector", values.size());
  const auto mirror = Kokkos::create_mirror_view(device);
  for (std::size_t i = 0; i < values.size(); ++i) mirror(i) = values[i];
  Kokkos::deep_copy(device, mirror);
  return device;
}

/// Waits for the device. Rank 1 or 2, entries row by row.
template <class View>
std::vector<typename View::non_const_value_type> to_host(const View& device) {
  const auto mirror = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), device);
  std::vector<typename View::non_const_value_type> values;
  values.reserve(mirror.size());
  if constexpr (View::rank() == 1) {
    for (std::size_t i = 0; i < mirror.extent(0); ++i) values.push_back(mirror(i));
  } else {
    for (std::size_t i = 0; i < mirror.extent(0); ++i)
      for (std::size_t j = 0; j < mirror.extent(1); ++j) values.push_back(mirror(i, j));
  }
  return values;
}

/// Equality of bits, so that a NaN equals itself and -0 differs from +0.
template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

}  // namespace bcr::test

#endif
