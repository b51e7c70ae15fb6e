#include "src/report/figures/principal_axes.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bcr::report {

namespace {

using Vector = std::vector<double>;

constexpr int most_rounds = 300;
constexpr double converged = 1e-9;

double dot(const Vector& a, const Vector& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// Makes `vector` orthogonal to `others` and of length 1, or zero if nothing is left of it. Twice, because once leaves
/// rounding errors.
void orthonormalise(Vector& vector, const Vector* const other) {
  const double before = std::sqrt(dot(vector, vector));
  for (int pass = 0; pass < 2 && other != nullptr; ++pass) {
    const double along = dot(vector, *other);
    for (std::size_t i = 0; i < vector.size(); ++i) vector[i] -= along * (*other)[i];
  }
  const double length = std::sqrt(dot(vector, vector));
  const double scale = length > 1e-12 * before && length > 0 ? 1 / length : 0;
  for (double& entry : vector) entry *= scale;
}

/// Any fixed direction that no data set has a reason to be orthogonal to.
Vector start(const std::size_t width, const double phase) {
  Vector vector(width);
  for (std::size_t i = 0; i < width; ++i) vector[i] = std::sin(1.7 * static_cast<double>(i) + phase);
  return vector;
}

/// X^T X v of the centred rows.
Vector covariance_times(const Rows& rows, const std::vector<std::size_t>& chosen, const Vector& mean,
                        const Vector& v) {
  Vector product(rows.width, 0.0);
  const double offset = dot(mean, v);
  for (const std::size_t i : chosen) {
    const float* const row = rows.row(i);
    double along = -offset;
    for (std::size_t k = 0; k < rows.width; ++k) along += row[k] * v[k];
    for (std::size_t k = 0; k < rows.width; ++k) product[k] += along * (row[k] - mean[k]);
  }
  return product;
}

void fix_sign(Vector& axis) {
  const auto largest =
      std::max_element(axis.begin(), axis.end(), [](const double a, const double b) { return std::abs(a) < std::abs(b); });
  if (largest == axis.end() || *largest >= 0) return;
  for (double& entry : axis) entry = -entry;
}

}  // namespace

std::vector<std::size_t> spread(const std::size_t count, const std::size_t most) {
  std::vector<std::size_t> chosen;
  const std::size_t taken = std::min(count, most);
  for (std::size_t i = 0; i < taken; ++i) chosen.push_back(i * count / taken);
  return chosen;
}

Point PrincipalPlane::project(const float* const row) const {
  Point point;
  for (std::size_t k = 0; k < mean.size(); ++k) {
    const double centred = row[k] - mean[k];
    point.x += centred * axes[0][k];
    point.y += centred * axes[1][k];
  }
  return point;
}

PrincipalPlane principal_plane(const Rows& rows) {
  constexpr std::size_t most_rows = 3000;
  const auto chosen = spread(rows.count(), most_rows);
  PrincipalPlane plane;
  plane.mean.assign(rows.width, 0.0);
  for (const std::size_t i : chosen) {
    for (std::size_t k = 0; k < rows.width; ++k) plane.mean[k] += rows.row(i)[k];
  }
  for (double& entry : plane.mean) entry /= static_cast<double>(chosen.size());
  double total = 0;
  for (const std::size_t i : chosen) {
    for (std::size_t k = 0; k < rows.width; ++k) total += std::pow(rows.row(i)[k] - plane.mean[k], 2);
  }
  auto& [first, second] = plane.axes;
  first = start(rows.width, 0.3);
  second = start(rows.width, 1.1);
  orthonormalise(first, nullptr);
  orthonormalise(second, &first);
  double before = -1;
  for (int round = 0; round < most_rounds; ++round) {
    Vector next_first = covariance_times(rows, chosen, plane.mean, first);
    Vector next_second = covariance_times(rows, chosen, plane.mean, second);
    const double along_first = dot(first, next_first);
    const double along_second = dot(second, next_second);
    plane.shares = {total > 0 ? along_first / total : 0, total > 0 ? along_second / total : 0};
    if (std::abs(along_first + along_second - before) <= converged * total) break;
    before = along_first + along_second;
    if (dot(next_first, next_first) > 0) first = std::move(next_first);
    if (dot(next_second, next_second) > 0) second = std::move(next_second);
    orthonormalise(first, nullptr);
    orthonormalise(second, &first);
  }
  fix_sign(first);
  fix_sign(second);
  return plane;
}

}  // namespace bcr::report
