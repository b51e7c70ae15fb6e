#include "src/scores/dense.hpp"

#include "src/core/error.hpp"
#include "src/core/finite.hpp"
#include "src/core/host_tasks.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <numeric>
#include <string>

namespace bcr::scores {
namespace {

constexpr std::size_t dense_lanes = 8;
constexpr std::size_t tile = 4;          // rows of the result that share a load
constexpr std::size_t panel_rows = 64;   // 64 rows of 512 features are 256 KB
constexpr std::size_t serial_size = 64;  // smaller matrices are not worth a launch

double join(const double* const sum) {
  return ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
}

/// Four dot products with one vector at a time, each with the order of dot().
void dot_tile(const double* const* const a, const double* const b, const std::size_t size, double* const dst) {
  double sum[tile][dense_lanes] = {};
  std::size_t i = 0;
  for (; i + dense_lanes <= size; i += dense_lanes) {
    for (std::size_t r = 0; r < tile; ++r) {
      for (std::size_t l = 0; l < dense_lanes; ++l) sum[r][l] += a[r][i + l] * b[i + l];
    }
  }
  for (std::size_t r = 0; r < tile; ++r) {
    for (std::size_t l = 0; i + l < size; ++l) sum[r][l] += a[r][i + l] * b[i + l];
    dst[r] = join(sum[r]);
  }
}

/// function(first, last) for pieces of [0, size), on threads if there is enough to do.
template <class Function>
void for_pieces(const char* const label, const std::size_t size, const std::size_t length, const Function& function) {
  const std::size_t pieces = parts_in(size, length);
  if (pieces < 2) {
    if (size > 0) function(std::size_t{0}, size);
    return;
  }
  for_each_task(label, pieces, [&](const std::size_t task) {
    const IndexRange part = part_of(size, length, task);
    function(part.begin, part.end);
  });
}

/// One tile of the Gram matrix: rows i ... i + height, columns j ... j + width.
void gram_tile(const double* const rows, const std::size_t count, const std::size_t n, const std::size_t i,
               const std::size_t j, double* const gram) {
  const std::size_t height = std::min(tile, n - i);
  const std::size_t width = std::min(dense_lanes, n - j);
  if (height == tile && width == dense_lanes) {
    double sum[tile][dense_lanes];
    for (std::size_t a = 0; a < tile; ++a) std::copy_n(gram + (i + a) * n + j, dense_lanes, sum[a]);
    for (std::size_t r = 0; r < count; ++r) {
      const double* const row = rows + r * n;
      for (std::size_t a = 0; a < tile; ++a) {
        for (std::size_t b = 0; b < dense_lanes; ++b) sum[a][b] += row[i + a] * row[j + b];
      }
    }
    for (std::size_t a = 0; a < tile; ++a) std::copy_n(sum[a], dense_lanes, gram + (i + a) * n + j);
    return;
  }
  for (std::size_t a = 0; a < height; ++a) {
    for (std::size_t b = 0; b < width; ++b) {
      double sum = gram[(i + a) * n + j + b];
      for (std::size_t r = 0; r < count; ++r) sum += rows[r * n + i + a] * rows[r * n + j + b];
      gram[(i + a) * n + j + b] = sum;
    }
  }
}

/// A symmetric matrix with three diagonals, and Q^T of A = Q T Q^T.
struct Tridiagonal {
  std::vector<double> diagonal;
  std::vector<double> off;  ///< off[i] couples i and i + 1; one entry more, 0
  std::vector<double> rows;
};

/// Householder vectors are kept in the rows of `vectors`: v_k has entries k + 1 ... n - 1, and H_k = 1 - beta v v^T.
Tridiagonal tridiagonalise(std::vector<double>& a, const std::size_t n) {
  Tridiagonal t{std::vector<double>(n), std::vector<double>(n, 0.0), std::vector<double>(n * n, 0.0)};
  std::vector<double> vectors(n * n, 0.0), beta(n, 0.0), p(n), w(n);
  for (std::size_t k = 0; k + 2 < n; ++k) {
    double* const v = vectors.data() + k * n;
    const std::size_t first = k + 1, size = n - first;
    for (std::size_t i = first; i < n; ++i) v[i] = a[i * n + k];
    const double tail = dot(v + first + 1, v + first + 1, size - 1);
    const double head = v[first];
    if (tail == 0) {
      t.off[k] = head;
      continue;
    }
    const double norm = Kokkos::sqrt(head * head + tail);
    const double pivot = head > 0 ? -norm : norm;
    v[first] = head - pivot;
    t.off[k] = pivot;
    beta[k] = 2 / (v[first] * v[first] + tail);
    for_pieces("bcr::scores::eigen::product", size, serial_size, [&](const std::size_t begin, const std::size_t end) {
      for (std::size_t i = first + begin; i < first + end; ++i)
        p[i] = beta[k] * dot(a.data() + i * n + first, v + first, size);
    });
    const double half = 0.5 * beta[k] * dot(p.data() + first, v + first, size);
    for (std::size_t i = first; i < n; ++i) w[i] = p[i] - half * v[i];
    for_pieces("bcr::scores::eigen::update", size, serial_size, [&](const std::size_t begin, const std::size_t end) {
      for (std::size_t i = first + begin; i < first + end; ++i) {
        double* const row = a.data() + i * n;
        for (std::size_t j = first; j < n; ++j) row[j] -= v[i] * w[j] + w[i] * v[j];
      }
    });
  }
  for (std::size_t i = 0; i < n; ++i) t.diagonal[i] = a[i * n + i];
  if (n > 1) t.off[n - 2] = a[(n - 1) * n + n - 2];
  // Q^T = H_(n-3) ... H_0, applied to the rows of the identity from the right: row <- row H.
  for_pieces("bcr::scores::eigen::vectors", n, serial_size / 4, [&](const std::size_t begin, const std::size_t end) {
    for (std::size_t r = begin; r < end; ++r) {
      double* const row = t.rows.data() + r * n;
      row[r] = 1;
      for (std::size_t k = n < 2 ? 0 : n - 2; k-- > 0;) {
        if (beta[k] == 0) continue;
        const double* const v = vectors.data() + k * n;
        const double factor = beta[k] * dot(row + k + 1, v + k + 1, n - k - 1);
        for (std::size_t j = k + 1; j < n; ++j) row[j] -= factor * v[j];
      }
    }
  });
  return t;
}

struct Rotation {
  std::size_t row;  ///< mixes row and row + 1
  double cosine;
  double sine;
};

/// Diagonalises T; the rotations go to `rotations`, in their order.
void diagonalise(Tridiagonal& t, std::vector<Rotation>& rotations) {
  const std::size_t n = t.diagonal.size();
  std::vector<double>& d = t.diagonal;
  std::vector<double>& e = t.off;
  for (std::size_t l = 0; l < n; ++l) {
    for (int step = 0;; ++step) {
      std::size_t m = l;
      for (; m + 1 < n; ++m) {
        const double scale = Kokkos::abs(d[m]) + Kokkos::abs(d[m + 1]);
        if (Kokkos::abs(e[m]) <= 0x1p-53 * scale) break;
      }
      if (m == l) break;
      require<NumericsError>(step < 100, "symmetric_eigenpairs", "convergence in 100 steps", "none");
      double g = (d[l + 1] - d[l]) / (2 * e[l]);
      const double r0 = Kokkos::sqrt(g * g + 1);
      g = d[m] - d[l] + e[l] / (g + (g >= 0 ? r0 : -r0));
      double s = 1, c = 1, p = 0;
      std::size_t i = m;
      bool split = false;
      while (i-- > l) {
        const double f = s * e[i];
        const double b = c * e[i];
        const double r = Kokkos::sqrt(f * f + g * g);
        e[i + 1] = r;
        if (r == 0) {
          d[i + 1] -= p;
          e[m] = 0;
          split = true;
          break;
        }
        s = f / r;
        c = g / r;
        g = d[i + 1] - p;
        const double q = (d[i] - g) * s + 2 * c * b;
        p = s * q;
        d[i + 1] = g + p;
        g = c * q - b;
        rotations.push_back({i, c, s});
      }
      if (split) continue;
      d[l] -= p;
      e[l] = g;
      e[m] = 0;
    }
  }
}

}  // namespace

double dot(const double* const a, const double* const b, const std::size_t size) {
  double sum[dense_lanes] = {};
  std::size_t i = 0;
  for (; i + dense_lanes <= size; i += dense_lanes) {
    for (std::size_t l = 0; l < dense_lanes; ++l) sum[l] += a[i + l] * b[i + l];
  }
  for (std::size_t l = 0; i + l < size; ++l) sum[l] += a[i + l] * b[i + l];
  return join(sum);
}

void add_gram(const std::span<const double> rows, const std::size_t n, const std::span<double> gram) {
  const std::size_t count = n == 0 ? 0 : rows.size() / n;
  for (std::size_t first = 0; first < count; first += panel_rows) {
    const std::size_t here = std::min(panel_rows, count - first);
    const double* const panel = rows.data() + first * n;
    for_pieces("bcr::scores::gram", parts_in(n, tile), serial_size / tile,
               [&](const std::size_t begin, const std::size_t end) {
                 for (std::size_t i = begin; i < end; ++i) {
                   for (std::size_t j = i * tile / dense_lanes * dense_lanes; j < n; j += dense_lanes)
                     gram_tile(panel, here, n, i * tile, j, gram.data());
                 }
               });
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) gram[i * n + j] = gram[j * n + i];
  }
}

void multiply_rows(const std::span<const double> a, const std::span<const double> b, const std::size_t n,
                   const std::span<double> dst) {
  if (n == 0 || a.empty() || b.empty()) return;
  const std::size_t count = a.size() / n, m = b.size() / n;
  for (std::size_t k = 0; k < m; ++k) {
    for (std::size_t first = 0; first < count; first += tile) {
      const double* row[tile];
      double product[tile];
      for (std::size_t r = 0; r < tile; ++r) row[r] = a.data() + std::min(first + r, count - 1) * n;
      dot_tile(row, b.data() + k * n, n, product);
      for (std::size_t r = 0; r < tile && first + r < count; ++r) dst[(first + r) * m + k] = product[r];
    }
  }
}

Eigenpairs symmetric_eigenpairs(std::vector<double> matrix, const std::size_t n) {
  require<ShapeError>(matrix.size() == n * n, "symmetric_eigenpairs", "n^2 entries", std::to_string(matrix.size()));
  for (const double x : matrix)
    require<NumericsError>(is_finite(x), "symmetric_eigenpairs", "finite entries", "another");
  Tridiagonal t = tridiagonalise(matrix, n);
  std::vector<Rotation> rotations;
  diagonalise(t, rotations);
  // Columns of the rows are independent of each other: a piece of them goes through all rotations in one cache.
  for_pieces("bcr::scores::eigen::rotate", n, 64, [&](const std::size_t begin, const std::size_t end) {
    for (const auto& [i, c, s] : rotations) {
      double* const low = t.rows.data() + i * n;
      double* const high = low + n;
      for (std::size_t k = begin; k < end; ++k) {
        const double f = high[k];
        high[k] = s * low[k] + c * f;
        low[k] = c * low[k] - s * f;
      }
    }
  });
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](const std::size_t a, const std::size_t b) { return t.diagonal[a] > t.diagonal[b]; });
  Eigenpairs pairs{std::vector<double>(n), std::vector<double>(n * n)};
  for (std::size_t k = 0; k < n; ++k) {
    const double* const row = t.rows.data() + order[k] * n;
    const double* const largest =
        std::max_element(row, row + n, [](const double a, const double b) { return Kokkos::abs(a) < Kokkos::abs(b); });
    const double sign = *largest < 0 ? -1 : 1;
    pairs.values[k] = t.diagonal[order[k]];
    for (std::size_t j = 0; j < n; ++j) pairs.vectors[k * n + j] = sign * row[j];
  }
  return pairs;
}

}  // namespace bcr::scores
