// The incomplete gamma function and the inclusion plan against 50 digits, by regime and at the seams between methods.
// Errors are relative, or absolute where the value is below 1, in units of 2^-52; the tables are those of
// docs/numerics.md.
#include "kernels/gamma/inclusion_plan.hpp"
#include "kernels/gamma/incomplete_gamma.hpp"
#include "tests/support/accuracy_table.hpp"
#include "tests/support/data_folder.hpp"
#include "tests/support/tolerance.hpp"

#include <gtest/gtest.h>

#include <boost/math/special_functions/gamma.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>

#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace {

using bcr::kernels::Inclusion;
using bcr::kernels::InclusionPlan;
using bcr::kernels::incomplete_gamma;
using bcr::kernels::impl::GammaBranch;
using bcr::test::Accuracy;
namespace tolerance = bcr::test::tolerance;

using Values = std::array<double, 4>;
constexpr std::array<const char*, 4> names{"log_p", "log_q", "hazard_p", "hazard_q"};

template <class T>
std::array<T, 4> values_of(const Inclusion<T>& inclusion) {
  return {inclusion.log_p, inclusion.log_q, inclusion.hazard_p, inclusion.hazard_q};
}

/// The numbers of each line of a CSV file under tests/data; the first column may be a word.
struct Row {
  std::string word;
  std::vector<double> numbers;
};

std::vector<Row> read_rows(const std::string& file) {
  std::ifstream stream(bcr::test::data_folder + file);
  std::vector<Row> rows;
  std::string line;
  std::getline(stream, line);  // names of the columns
  while (std::getline(stream, line)) {
    std::istringstream fields(line);
    Row row;
    std::string field;
    std::getline(fields, row.word, ',');
    while (std::getline(fields, field, ',')) row.numbers.push_back(std::strtod(field.c_str(), nullptr));
    rows.push_back(row);
  }
  return rows;
}

struct Reference {
  std::string regime;
  double a;
  double x;
  Values exact;
};

std::vector<Reference> gamma_table() {
  std::vector<Reference> table;
  for (const Row& row : read_rows("gamma_table.csv")) {
    const std::vector<double>& n = row.numbers;
    table.push_back({row.word, n.at(0), n.at(1), {n.at(2), n.at(3), n.at(4), n.at(5)}});
  }
  return table;
}

double scaled_error(const double got, const double exact) {
  if (!std::isfinite(got)) return std::numeric_limits<double>::infinity();
  return std::fabs(got - exact) / std::fmax(1.0, std::fabs(exact)) / tolerance::eps;
}

/// Adds the errors of one point to the lines of its group.
using Table = std::map<std::string, std::array<Accuracy, 4>>;

void add(Table& table, const std::string& group, const Values& got, const Reference& reference) {
  for (std::size_t k = 0; k < 4; ++k) table[group][k].add(scaled_error(got[k], reference.exact[k]), reference.x);
}

void print_and_check(const Table& table, const double limit) {
  bcr::test::print_accuracy_header();
  for (const auto& [group, lines] : table) {
    for (std::size_t k = 0; k < 4; ++k) {
      bcr::test::print_accuracy(names[k], group, lines[k]);
      EXPECT_LE(lines[k].peak() * tolerance::eps, limit) << group << ' ' << names[k] << " at x = " << lines[k].at();
    }
  }
}

TEST(IncompleteGammaAccuracy, ScalarFunctionHoldsTheGoalInEveryBranch) {
  const std::map<GammaBranch, std::string> branches{{GammaBranch::small_shape, "a < 1, x < 1"},
                                                    {GammaBranch::uniform, "uniform expansion"},
                                                    {GammaBranch::series, "series"},
                                                    {GammaBranch::fraction, "continued fraction"}};
  Table table;

  for (const Reference& reference : gamma_table()) {
    const std::string branch = branches.at(bcr::kernels::impl::gamma_branch(reference.a, reference.x));
    add(table, branch, values_of(incomplete_gamma(reference.a, reference.x)), reference);
  }

  ASSERT_EQ(table.size(), branches.size());
  for (const auto& [branch, lines] : table) EXPECT_GE(lines[0].count(), 100u) << branch;
  print_and_check(table, tolerance::gamma_goal);
}

TEST(IncompleteGammaAccuracy, PlanHoldsTheGoalInEveryDimensionOnBothSidesOfItsSeam) {
  Table table;
  std::map<double, InclusionPlan> plans;

  for (const Reference& reference : gamma_table()) {
    if (reference.regime != "plan") continue;
    const int dimensions = static_cast<int>(2 * reference.a);
    const InclusionPlan& plan = plans.try_emplace(reference.a, dimensions).first->second;
    const bool left = reference.x < plan.curve().seam;
    const std::string size = dimensions < 10 ? "n < 10" : (dimensions < 1000 ? "10 <= n < 1000" : "n >= 1000");
    add(table, size + (left ? ", left" : ", right"), values_of(plan.curve()(2 * reference.x)), reference);
  }

  ASSERT_EQ(plans.size(), 21u);
  ASSERT_EQ(table.size(), 6u);
  for (const auto& [side, lines] : table) EXPECT_GE(lines[0].count(), 80u) << side;
  print_and_check(table, tolerance::gamma_goal);
}

TEST(IncompleteGammaAccuracy, FloatIsWithinTwoUlp) {
  Accuracy accuracy;

  for (const Reference& reference : gamma_table()) {
    const float a = static_cast<float>(reference.a);
    const float x = static_cast<float>(reference.x);
    if (double(a) != reference.a || double(x) != reference.x) continue;
    const auto got = values_of(incomplete_gamma(a, x));
    for (std::size_t k = 0; k < 4; ++k) accuracy.add(bcr::test::ulp_error(got[k], reference.exact[k]), reference.x);
  }

  bcr::test::print_accuracy_header();
  bcr::test::print_accuracy("float, ulp", "all", accuracy);
  EXPECT_GE(accuracy.count(), 4000u);
  EXPECT_LE(accuracy.peak(), tolerance::gamma_float_ulp);
}

TEST(IncompleteGammaAccuracy, AgreesWithBoostInFiftyDigits) {
  using Wide = boost::multiprecision::cpp_bin_float_50;
  for (const double a : {0.5, 1.5, 8.0, 63.5, 128.0, 320.0, 1024.0}) {
    const InclusionPlan plan(static_cast<int>(2 * a));
    for (const double ratio : {0.25, 0.8125, 1.0, 1.1875, 2.5}) {
      const double x = a * ratio;
      const Wide p = boost::math::gamma_p(Wide(a), Wide(x));
      const Wide q = boost::math::gamma_q(Wide(a), Wide(x));
      const Wide density = boost::math::gamma_p_derivative(Wide(a), Wide(x));
      const Values exact{double(log(p)), double(log(q)), double(density / p), double(density / q)};

      const Values scalar = values_of(incomplete_gamma(a, x));
      const Values planned = values_of(plan.curve()(2 * x));

      for (std::size_t k = 0; k < 4; ++k) {
        EXPECT_LE(scaled_error(scalar[k], exact[k]) * tolerance::eps, tolerance::gamma_goal)
            << a << ' ' << x << names[k];
        EXPECT_LE(scaled_error(planned[k], exact[k]) * tolerance::eps, tolerance::gamma_goal)
            << a << ' ' << x << names[k];
      }
    }
  }
}

TEST(IncompleteGammaAccuracy, LossesAndSlopesAgreeWithTheTenDigitTable) {
  const std::vector<Row> rows = read_rows("inclusion_ten_digits.csv");
  ASSERT_EQ(rows.size(), 31u);

  for (const Row& row : rows) {
    const int n = std::stoi(row.word);
    const double d2 = n * row.numbers[0];
    const Inclusion<double> got = InclusionPlan(n).curve()(d2);

    EXPECT_NEAR(got.log_q / row.numbers[1], 1, tolerance::ten_digits) << "n = " << n << ", D^2 = " << d2;
    EXPECT_NEAR(got.log_p / row.numbers[2], 1, tolerance::ten_digits) << "n = " << n << ", D^2 = " << d2;
    EXPECT_NEAR(0.5 * got.hazard_q / row.numbers[3], 1, tolerance::ten_digits) << "n = " << n << ", D^2 = " << d2;
    EXPECT_NEAR(-0.5 * got.hazard_p / row.numbers[4], 1, tolerance::ten_digits) << "n = " << n << ", D^2 = " << d2;
  }
}

TEST(IncompleteGammaAccuracy, LogPAndLogQSumToOne) {
  for (const int n : {1, 17, 128, 640, 4096}) {
    const InclusionPlan plan(n);
    for (double ratio = 0.01; ratio < 10; ratio *= 1.03) {
      const Inclusion<double> got = plan.curve()(n * ratio);

      EXPECT_NEAR(std::exp(got.log_p) + std::exp(got.log_q), 1, tolerance::gamma_goal) << "n = " << n << ", " << ratio;
    }
  }
}

}  // namespace
