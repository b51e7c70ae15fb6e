#include "src/metrics/openmax.hpp"

#include "kernels/math/exp.hpp"
#include "kernels/math/log.hpp"
#include "src/core/error.hpp"
#include "src/core/finite.hpp"
#include "src/core/host_tasks.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <string_view>

namespace bcr::metrics {

namespace {

namespace strict = kernels::strict;

constexpr std::size_t rows_per_task = 256;

template <class T>
void check_rows(const std::string_view operation, const LogitRows<T>& logits) {
  require<ShapeError>(logits.classes > 0, operation, "at least one class", std::to_string(logits.classes));
  const auto width = static_cast<std::size_t>(logits.classes);
  if (logits.values.size() % width != 0) {
    throw ShapeError(operation, "whole rows of " + std::to_string(width),
                     std::to_string(logits.values.size()) + " logits");
  }
  for (std::size_t i = 0; i < logits.values.size(); ++i) {
    if (is_finite(logits.values[i])) continue;
    throw NumericsError(operation, "finite logits", "another at row " + std::to_string(i / width));
  }
}

void check_size(const std::string_view operation, const std::size_t expected, const std::size_t received) {
  if (expected == received) return;
  throw ShapeError(operation, std::to_string(expected) + " entries", std::to_string(received));
}

template <class Row>
std::int32_t argmax(const Row& row) {
  return static_cast<std::int32_t>(std::max_element(row.begin(), row.end()) - row.begin());
}

/// Sum of exponentials of v - greatest, in order.
double exponential_sum(const std::span<double> v, const double greatest) {
  double sum = 0;
  for (double& value : v) sum += value = strict::exp(value - greatest);
  return sum;
}

}  // namespace

template <class T>
Openmax Openmax::fit(const LogitRows<T>& logits, const std::span<const std::int32_t> labels,
                     const OpenmaxSettings& settings) {
  check_rows("Openmax::fit", logits);
  check_size("Openmax::fit labels", logits.size(), labels.size());
  require<ConfigError>(settings.alpha >= 1, "Openmax::fit", "alpha of at least 1", std::to_string(settings.alpha));
  const auto width = static_cast<std::size_t>(logits.classes);
  Openmax openmax;
  openmax.classes_ = logits.classes;
  openmax.settings_ = settings;
  openmax.settings_.alpha = std::min(settings.alpha, logits.classes);
  openmax.means_.assign(width * width, 0.0);

  std::vector<std::vector<std::size_t>> members(width);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] < 0 || labels[i] >= logits.classes) {
      throw ShapeError("Openmax::fit", "labels in [0, " + std::to_string(logits.classes) + ")",
                       std::to_string(labels[i]));
    }
    if (argmax(logits.row(i)) == labels[i]) members[static_cast<std::size_t>(labels[i])].push_back(i);
  }
  std::vector<double> row(width);
  for (std::size_t c = 0; c < width; ++c) {
    double* const mean = openmax.means_.data() + c * width;
    for (const std::size_t i : members[c]) {
      for (std::size_t j = 0; j < width; ++j) mean[j] += static_cast<double>(logits.row(i)[j]);
    }
    for (std::size_t j = 0; j < width && !members[c].empty(); ++j) mean[j] /= static_cast<double>(members[c].size());
    std::vector<double> distances;
    for (const std::size_t i : members[c]) {
      std::copy_n(logits.row(i).begin(), width, row.begin());
      distances.push_back(openmax.distance_to(static_cast<std::int32_t>(c), row));
    }
    openmax.tails_.push_back(WeibullTail::fit_high(distances, settings.tail_size));
  }
  return openmax;
}

std::span<const double> Openmax::mean_activation(const std::int32_t c) const {
  const auto width = static_cast<std::size_t>(classes_);
  return std::span<const double>(means_).subspan(static_cast<std::size_t>(c) * width, width);
}

double Openmax::distance_to(const std::int32_t c, const std::span<const double> v) const {
  const std::span<const double> mean = mean_activation(c);
  double squares = 0;
  double product = 0;
  double v_squares = 0;
  double mean_squares = 0;
  for (std::size_t j = 0; j < v.size(); ++j) {
    const double difference = v[j] - mean[j];
    squares = Kokkos::fma(difference, difference, squares);
    product = Kokkos::fma(v[j], mean[j], product);
    v_squares = Kokkos::fma(v[j], v[j], v_squares);
    mean_squares = Kokkos::fma(mean[j], mean[j], mean_squares);
  }
  const double euclidean = Kokkos::sqrt(squares);
  if (settings_.distance == OpenmaxDistance::euclidean) return euclidean;
  const double norms = Kokkos::sqrt(v_squares) * Kokkos::sqrt(mean_squares);
  const double cosine = norms > 0 ? product / norms : 0;  // a zero vector is at a right angle to all
  return euclidean / 200 + (1 - cosine);
}

double Openmax::outlier_weight(const std::int32_t c, const std::span<const double> v) const {
  const WeibullTail& model = tail(c);
  return model.fitted() ? model.cdf(distance_to(c, v)) : 0.0;
}

/// v has C + 1 entries, the logits and a place for "unknown"; it becomes v'.
void Openmax::recalibrate(const std::span<double> v, std::vector<std::int32_t>& order) const {
  const auto width = static_cast<std::size_t>(classes_);
  const std::vector<double> logits(v.begin(), v.begin() + classes_);
  order.resize(width);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](const std::int32_t a, const std::int32_t b) {
    return logits[static_cast<std::size_t>(a)] > logits[static_cast<std::size_t>(b)];
  });
  double moved = 0;
  for (std::int32_t rank = 0; rank < settings_.alpha; ++rank) {
    const std::int32_t c = order[static_cast<std::size_t>(rank)];
    const double omega = static_cast<double>(settings_.alpha - rank) / settings_.alpha;
    const double share = omega * outlier_weight(c, logits);
    double& value = v[static_cast<std::size_t>(c)];
    moved = Kokkos::fma(value, share, moved);
    value = Kokkos::fma(-value, share, value);
  }
  v[width] = moved;
}

template <class T, class RowFunction>
void Openmax::for_each_row(const LogitRows<T>& logits, const RowFunction& function) const {
  const auto width = static_cast<std::size_t>(classes_);
  for_each_task("bcr::metrics::openmax", parts_in(logits.size(), rows_per_task), [&](const std::size_t task) {
    const IndexRange part = part_of(logits.size(), rows_per_task, task);
    std::vector<double> v(width + 1);
    std::vector<std::int32_t> order;
    for (std::size_t i = part.begin; i < part.end; ++i) {
      std::copy_n(logits.row(i).begin(), width, v.begin());
      v[width] = 0;
      function(i, std::span<double>(v), order);
    }
  });
}

template <class T>
void Openmax::probabilities(const LogitRows<T>& logits, const std::span<double> dst) const {
  check_rows("Openmax::probabilities", logits);
  check_size("Openmax::probabilities classes", static_cast<std::size_t>(classes_),
             static_cast<std::size_t>(logits.classes));
  const auto outputs = static_cast<std::size_t>(classes_) + 1;
  check_size("Openmax::probabilities dst", logits.size() * outputs, dst.size());
  for_each_row(logits, [&](const std::size_t i, const std::span<double> v, std::vector<std::int32_t>& order) {
    recalibrate(v, order);
    const double total = exponential_sum(v, *std::max_element(v.begin(), v.end()));
    for (std::size_t j = 0; j < outputs; ++j) dst[i * outputs + j] = v[j] / total;
  });
}

template <class T>
void Openmax::scores(const LogitRows<T>& logits, const std::span<double> dst) const {
  check_rows("Openmax::scores", logits);
  check_size("Openmax::scores classes", static_cast<std::size_t>(classes_), static_cast<std::size_t>(logits.classes));
  check_size("Openmax::scores dst", logits.size(), dst.size());
  const auto width = static_cast<std::size_t>(classes_);
  for_each_row(logits, [&](const std::size_t i, const std::span<double> v, std::vector<std::int32_t>& order) {
    recalibrate(v, order);
    const double greatest = *std::max_element(v.begin(), v.end());
    const double unknown = strict::exp(v[width] - greatest);
    const double known = exponential_sum(v.first(width), greatest);
    dst[i] = known / (known + unknown);  // 1 - P(unknown) without the cancellation
  });
}

template <class T>
void Openmax::collapsed_scores(const LogitRows<T>& logits, const std::span<double> dst) const {
  check_rows("Openmax::collapsed_scores", logits);
  check_size("Openmax::collapsed_scores classes", static_cast<std::size_t>(classes_),
             static_cast<std::size_t>(logits.classes));
  check_size("Openmax::collapsed_scores dst", logits.size(), dst.size());
  const auto width = static_cast<std::size_t>(classes_);
  for_each_row(logits, [&](const std::size_t i, const std::span<double> v, std::vector<std::int32_t>&) {
    std::vector<double> kept(v.begin(), v.begin() + classes_);
    for (std::size_t c = 0; c < width; ++c) {
      kept[c] = Kokkos::fma(-v[c], outlier_weight(static_cast<std::int32_t>(c), v.first(width)), v[c]);
    }
    const double greatest = *std::max_element(kept.begin(), kept.end());
    dst[i] = greatest + strict::log(exponential_sum(kept, greatest));
  });
}

template Openmax Openmax::fit<float>(const LogitRows<float>&, std::span<const std::int32_t>, const OpenmaxSettings&);
template Openmax Openmax::fit<double>(const LogitRows<double>&, std::span<const std::int32_t>, const OpenmaxSettings&);
template void Openmax::probabilities<float>(const LogitRows<float>&, std::span<double>) const;
template void Openmax::probabilities<double>(const LogitRows<double>&, std::span<double>) const;
template void Openmax::scores<float>(const LogitRows<float>&, std::span<double>) const;
template void Openmax::scores<double>(const LogitRows<double>&, std::span<double>) const;
template void Openmax::collapsed_scores<float>(const LogitRows<float>&, std::span<double>) const;
template void Openmax::collapsed_scores<double>(const LogitRows<double>&, std::span<double>) const;

}  // namespace bcr::metrics
