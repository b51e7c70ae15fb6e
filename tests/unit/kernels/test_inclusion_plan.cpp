#include "kernels/gamma/inclusion_plan.hpp"

#include "kernels/gamma/incomplete_gamma.hpp"
#include "src/core/error.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/exec_spaces.hpp"
#include "tests/support/invalid_trap.hpp"
#include "tests/support/tolerance.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace {

using bcr::kernels::Inclusion;
using bcr::kernels::InclusionPlan;
using bcr::kernels::InclusionVectors;
using bcr::kernels::incomplete_gamma;
namespace tolerance = bcr::test::tolerance;

template <class T>
using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

/// D^2 from far inside to far outside, on both sides of the seam.
double squared_distance(const int dimensions, const int i) {
  return dimensions * 0.01 * std::pow(1.0137, (i * 7) % 900);
}

/// evaluate() of N values against the curve called one by one, bit for bit.
template <class T, class Exec>
void expect_launch_equals_scalar(const InclusionPlan& plan, const int N) {
  const Exec exec;
  const bcr::Vector<T, Exec> src("bcr::test::squared_distances", N);
  const InclusionVectors<T, Exec> dst{
      bcr::Vector<T, Exec>("bcr::test::log_p", N), bcr::Vector<T, Exec>("bcr::test::log_q", N),
      bcr::Vector<T, Exec>("bcr::test::hazard_p", N), bcr::Vector<T, Exec>("bcr::test::hazard_q", N)};
  const auto host = Kokkos::create_mirror_view(src);
  for (int i = 0; i < N; ++i) host(i) = T(squared_distance(plan.dimensions(), i));
  Kokkos::deep_copy(src, host);

  bcr::kernels::evaluate<T, Exec>(exec, plan, src, dst);

  exec.fence("bcr::test::inclusion");
  const auto log_p = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), dst.log_p);
  const auto log_q = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), dst.log_q);
  const auto hazard_p = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), dst.hazard_p);
  const auto hazard_q = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), dst.hazard_q);
  for (int i = 0; i < N; ++i) {
    const Inclusion<double> expected = plan.curve()(double(host(i)));
    ASSERT_EQ(std::bit_cast<Bits<T>>(log_p(i)), std::bit_cast<Bits<T>>(T(expected.log_p))) << i << " of " << N;
    ASSERT_EQ(std::bit_cast<Bits<T>>(log_q(i)), std::bit_cast<Bits<T>>(T(expected.log_q))) << i << " of " << N;
    ASSERT_EQ(std::bit_cast<Bits<T>>(hazard_p(i)), std::bit_cast<Bits<T>>(T(expected.hazard_p))) << i << " of " << N;
    ASSERT_EQ(std::bit_cast<Bits<T>>(hazard_q(i)), std::bit_cast<Bits<T>>(T(expected.hazard_q))) << i << " of " << N;
  }
}

template <class Exec>
class InclusionPlanOn : public ::testing::Test {};

TYPED_TEST_SUITE(InclusionPlanOn, bcr::test::ExecSpaces);

TYPED_TEST(InclusionPlanOn, LaunchGivesTheBitsOfTheScalarCurveInDouble) {
  for (const int dimensions : {1, 5, 128, 4095}) {
    const InclusionPlan plan(dimensions);
    for (const int N : {0, 1, 3, 65, 255, 256, 257, 5001}) expect_launch_equals_scalar<double, TypeParam>(plan, N);
  }
}

TYPED_TEST(InclusionPlanOn, LaunchGivesTheBitsOfTheScalarCurveInFloat) {
  for (const int dimensions : {2, 640}) {
    const InclusionPlan plan(dimensions);
    for (const int N : {0, 1, 67, 1000}) expect_launch_equals_scalar<float, TypeParam>(plan, N);
  }
}

TYPED_TEST(InclusionPlanOn, LaunchAllocatesNothing) {
  const InclusionPlan plan(128);
  const TypeParam exec;
  const bcr::Vector<double, TypeParam> src("bcr::test::src", 700);
  const bcr::Vector<double, TypeParam> out("bcr::test::out", 4 * 700);
  const auto part = [&](const int k) { return Kokkos::subview(out, Kokkos::make_pair(700 * k, 700 * (k + 1))); };
  const InclusionVectors<double, TypeParam> dst{part(0), part(1), part(2), part(3)};
  bcr::kernels::evaluate<double, TypeParam>(exec, plan, src, dst);
  exec.fence("bcr::test::inclusion");

  const bcr::test::AllocationCounter allocations;
  bcr::kernels::evaluate<double, TypeParam>(exec, plan, src, dst);
  exec.fence("bcr::test::inclusion");

  EXPECT_EQ(allocations.count(), 0);
}

TYPED_TEST(InclusionPlanOn, LaunchRefusesOutputsOfAnotherLength) {
  const InclusionPlan plan(128);
  const bcr::Vector<double, TypeParam> seven("bcr::test::seven", 7);
  const bcr::Vector<double, TypeParam> eight("bcr::test::eight", 8);
  const InclusionVectors<double, TypeParam> dst{seven, seven, eight, seven};

  EXPECT_THROW((bcr::kernels::evaluate<double, TypeParam>(TypeParam(), plan, seven, dst)), bcr::ShapeError);
}

double error(const double got, const double expected) {
  return std::fabs(got - expected) / std::fmax(1, std::fabs(expected));
}

double worst_error(const Inclusion<double>& got, const Inclusion<double>& expected) {
  return std::fmax(std::fmax(error(got.log_p, expected.log_p), error(got.log_q, expected.log_q)),
                   std::fmax(error(got.hazard_p, expected.hazard_p), error(got.hazard_q, expected.hazard_q)));
}

TEST(InclusionPlan, AgreesWithTheScalarFunctionAtEveryDimension) {
  for (int dimensions = 1; dimensions <= InclusionPlan::most_dimensions; dimensions += dimensions < 300 ? 1 : 97) {
    const InclusionPlan plan(dimensions);
    for (int i = 0; i < 300; ++i) {
      const double d2 = dimensions * std::pow(10.0, -6 + i * 0.03);
      const Inclusion<double> expected = incomplete_gamma(0.5 * dimensions, 0.5 * d2);

      ASSERT_LT(worst_error(plan.curve()(d2), expected), tolerance::gamma_goal)
          << "n = " << dimensions << ", D^2 = " << d2;
    }
  }
}

TEST(InclusionPlan, AWrongCoefficientIsNoticed) {
  for (const int k : {0, 1, 10, 21}) {
    bcr::kernels::InclusionCurve broken = InclusionPlan(128).curve();
    broken.c[k].upper += 1e-12;
    double worst = 0;
    for (int i = 0; i < 300; ++i) {
      const double d2 = 128 * std::pow(10.0, -6 + i * 0.03);
      worst = std::fmax(worst, worst_error(broken(d2), incomplete_gamma(64.0, 0.5 * d2)));
    }

    EXPECT_GT(worst, tolerance::gamma) << "coefficient " << k;
  }
}

TEST(InclusionPlan, IsFiniteForEveryFiniteDistance) {
  for (const int dimensions : {1, 2, 3, 128, 4096}) {
    const InclusionPlan plan(dimensions);
    for (const double d2 : {0.0, -0.0, 5e-324, 1e-300, 1e-30, 1e-6, 1.0, 1e6, 1e30, 1e300,
                            std::numeric_limits<double>::max(), std::numeric_limits<double>::infinity()}) {
      const Inclusion<double> got = plan.curve()(d2);

      EXPECT_TRUE(std::isfinite(got.log_p) && std::isfinite(got.log_q)) << "n = " << dimensions << ", D^2 = " << d2;
      EXPECT_TRUE(std::isfinite(got.hazard_p) && std::isfinite(got.hazard_q))
          << "n = " << dimensions << ", D^2 = " << d2;
      EXPECT_TRUE(std::isfinite(float(got.hazard_p))) << "n = " << dimensions << ", D^2 = " << d2;
    }
  }
}

TEST(InclusionPlan, NegativeDistancesAndNanGiveNan) {
  const bcr::test::InvalidTrapOff comparing_nan_is_invalid;
  const InclusionPlan plan(128);
  for (const double d2 :
       {-1e-300, -1.0, -std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    const Inclusion<double> got = plan.curve()(d2);

    EXPECT_TRUE(std::isnan(got.log_p) && std::isnan(got.log_q) && std::isnan(got.hazard_p) && std::isnan(got.hazard_q));
  }
}

TEST(InclusionPlan, BelowItsFloorNothingChanges) {
  const InclusionPlan plan(128, 1e-6);
  const Inclusion<double> at_floor = plan.curve()(128e-6);

  for (const double d2 : {0.0, 1e-300, 1e-6, 127e-6}) {
    EXPECT_EQ(plan.curve()(d2).log_p, at_floor.log_p);
    EXPECT_EQ(plan.curve()(d2).hazard_p, at_floor.hazard_p);
  }
  EXPECT_NEAR(at_floor.hazard_p / 1e6, 1, 1e-6);
  EXPECT_GT(plan.curve()(129e-6).log_p, at_floor.log_p);
}

TEST(InclusionPlan, RefusesDimensionsAndFloorsOutOfRange) {
  EXPECT_THROW(InclusionPlan(0), bcr::ConfigError);
  EXPECT_THROW(InclusionPlan(-3), bcr::ConfigError);
  EXPECT_THROW(InclusionPlan(4097), bcr::ConfigError);
  EXPECT_THROW(InclusionPlan(128, 0.0), bcr::ConfigError);
  EXPECT_THROW(InclusionPlan(128, 1.0), bcr::ConfigError);
}

TEST(InclusionPlan, SlopesFollowTheirAsymptotes) {
  const InclusionPlan plan(128);
  for (double ratio = 2; ratio < 1e3; ratio *= 1.5) {
    EXPECT_NEAR(plan.curve()(128 * ratio).hazard_q, 1 - 1 / ratio, 0.02);
  }
  for (double ratio = 0.5; ratio > 1e-3; ratio /= 1.5) {
    EXPECT_NEAR(plan.curve()(128 * ratio).hazard_p, 1 / ratio - 1, 0.03);
  }
}

}  // namespace
