// Axes, ticks, histograms and thinned curves: the arithmetic behind the plots.
#include "src/report/plot/frame.hpp"
#include "src/report/plot/plots.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace {

using namespace bcr::report;
using testing::ElementsAre;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

std::vector<std::string> labels(const Axis& axis, const int about) {
  std::vector<std::string> texts;
  for (const Tick& tick : ticks(axis, about)) texts.push_back(tick.label);
  return texts;
}

TEST(Axis, PlacesValuesBetweenItsEnds) {
  EXPECT_EQ(position({"", 2, 4}, 3), 0.5);
  EXPECT_DOUBLE_EQ(position({"", 0.01, 1, Scale::logarithmic}, 0.1), 0.5);
  EXPECT_EQ(position({"", 0.01, 1, Scale::logarithmic}, 0), -infinity);
}

TEST(Axis, HasRoundTicks) {
  EXPECT_THAT(labels({"", 0, 1}, 5), ElementsAre("0.0", "0.2", "0.4", "0.6", "0.8", "1.0"));
  EXPECT_THAT(labels({"", -0.5, 0.5}, 2), ElementsAre("\u22120.5", "0.0", "0.5"));
  EXPECT_THAT(labels({"", 1e-3, 1, Scale::logarithmic}, 6), ElementsAre("0.001", "0.01", "0.1", "1"));
}

TEST(Axis, CoversFiniteValuesAlone) {
  const Axis axis = covering("", std::vector{1.0, not_a_number, 3.0, infinity}, Scale::linear, Margin::none);
  const Axis empty = covering("", {});
  const Axis single = covering("", std::vector{5.0, 5.0});

  EXPECT_EQ(axis.low, 1);
  EXPECT_EQ(axis.high, 3);
  EXPECT_LT(empty.low, empty.high);
  EXPECT_LT(single.low, 5);
  EXPECT_GT(single.high, 5);
}

TEST(Frame, DrawsWhatLiesBeyondAnAxisOnItsEdge) {
  Drawing drawing(plot_width, plot_height, "");
  const Frame frame(drawing, {"", 0.01, 1, Scale::logarithmic}, {"", 0, 1}, {});

  EXPECT_EQ(frame.at(0, 0.5).x, frame.left());
  EXPECT_EQ(frame.at(2, 0.5).x, frame.right());
  EXPECT_EQ(frame.at(0.1, 7).y, frame.top());
}

TEST(Histogram, CountsEveryNumberOnce) {
  const Axis axis{"", 0, 4};
  const std::vector<double> values{-7, 0.5, 1.5, 1.6, 3.9, 4, 99, not_a_number};

  EXPECT_THAT(histogram_shares(values, axis, 4), ElementsAre(2.0 / 7, 2.0 / 7, 0, 3.0 / 7));
  EXPECT_THAT(histogram_shares({}, axis, 2), ElementsAre(0, 0));
}

TEST(Histogram, RangeLeavesOutTheFewestAndFarthest) {
  std::vector<double> values;
  for (int i = 0; i <= 100; ++i) values.push_back(i);
  values.push_back(1e9);
  values.push_back(-1e9);
  const std::vector<std::vector<double>> lists{values, {}};
  const Axis axis = histogram_range("", lists, 0.02);

  EXPECT_GT(axis.low, -20);
  EXPECT_LT(axis.high, 120);
}

TEST(Thinned, KeepsTheEndsAndWhatIsFarApart) {
  const std::vector<Point> points{{0, 0}, {0.1, 0}, {1, 0}, {1.2, 0}, {1.3, 0}};
  std::vector<double> kept;
  for (const Point& point : thinned(points, 0.5)) kept.push_back(point.x);

  EXPECT_THAT(kept, ElementsAre(0, 1, 1.3));
}

TEST(NumberText, IsForReaders) {
  EXPECT_EQ(number_text(-0.5), "\u22120.5");
  EXPECT_EQ(number_text(-0.0), "0");
  EXPECT_EQ(number_text(1.0 / 3), "0.3333");
  EXPECT_EQ(number_text(infinity), "∞");
}

}  // namespace
