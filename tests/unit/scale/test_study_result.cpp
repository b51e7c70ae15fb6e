#include "src/scale/figures/study_page.hpp"
#include "src/scale/study/study.hpp"
#include "tests/support/tolerance.hpp"
#include "tests/unit/scale/sample_points.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bcr::scale {
namespace {

using testing::HasSubstr;

/// Every point of the plan, with the time that `seconds` gives it.
template <class Seconds>
StudyResult study(const std::string& toml, const Seconds& seconds) {
  const auto options = Config::parse(toml).read<StudyOptions>();
  StudyResult result{options, plan_study(options), "Machine", {}, {}};
  for (const PlannedPoint& planned : result.plan.points) {
    const Point point = test::sample_point(planned.options, planned.resources, seconds(planned));
    result.points.emplace(planned.key(), StoredPoint{point, point_json(point)});
  }
  return result;
}

/// 1 ms per image on one worker, and 20 ms that do not get less.
double amdahl(const PlannedPoint& planned) {
  return 0.02 + 1e-3 * planned.options.batch / (planned.resources.ranks * planned.resources.threads);
}

const std::string growth =
    "[base]\nbatch = 64\n[strong]\nthreads = [1, 4]\n[weak]\nthreads = [1, 4]\n[size]\nbatch = [16, 64]";

TEST(StudyResult, SpeedUpAndEfficiencyFollowFromTheTimes) {
  const StudyResult result = study(growth, amdahl);
  const auto series = measured_series(result);

  ASSERT_EQ(series.size(), 3U);
  const SeriesPoint& strong = series[0].points[1];
  EXPECT_NEAR(strong.speed_up.value, 0.084 / 0.036, test::tolerance::few_operations);
  EXPECT_NEAR(strong.efficiency.value, 0.084 / 0.036 / 4, test::tolerance::few_operations);
  EXPECT_LT(strong.speed_up.low, strong.speed_up.value);
  EXPECT_GT(strong.speed_up.high, strong.speed_up.value);
  const SeriesPoint& weak = series[1].points[1];
  EXPECT_NEAR(weak.speed_up.value, 4, test::tolerance::few_operations);
  EXPECT_NEAR(weak.efficiency.value, 1, test::tolerance::few_operations);
  EXPECT_NEAR(series[2].points[0].seconds_per_image.value, 0.036 / 16, test::tolerance::few_operations);
}

TEST(StudyResult, LeavesOutWhatFailed) {
  StudyResult result = study(growth, amdahl);
  result.points.erase(result.plan.sweeps[0].steps[1].point.key());

  EXPECT_EQ(measured_series(result)[0].points.size(), 1U);
  EXPECT_EQ(p3_rows(result).size(), result.plan.points.size() - 1);
}

TEST(StudyResult, PredictionRecoversTheModelBehindTheTimes) {
  const auto predictions = predict_study(study(growth, amdahl));

  ASSERT_EQ(predictions.size(), 1U);
  EXPECT_EQ(predictions[0].samples, 2U);
  EXPECT_NEAR(predictions[0].compute.fixed, 0.02, test::tolerance::line_fit);
  EXPECT_NEAR(predictions[0].compute.per_image, 1e-3, test::tolerance::line_fit);
  EXPECT_EQ(predictions[0].gradient_bytes, 4e6);
  EXPECT_EQ(predictions[0].weak.back().ranks, 1024);
}

TEST(StudyResult, RowsAreThoseOfP3) {
  const auto rows = p3_rows(study(growth, amdahl));

  EXPECT_EQ(rows[0].application, "bcr strict");
  EXPECT_EQ(rows[0].problem, "train wrn-10-1 32x32x3 batch 64 classes 10");
  EXPECT_EQ(rows[0].platform, "Machine [1x1]");
  EXPECT_NEAR(rows[0].fom, 0.084, test::tolerance::few_operations);
  EXPECT_EQ(parse_p3(p3_text(rows), "t"), rows);
}

TEST(StudyPage, ShowsEveryKindOfFigureAndMarksPredictions) {
  StudyResult result = study(
      "[study]\nmodes = [\"strict\", \"fast\"]\n[base]\nbatch = 64\n[strong]\nthreads = [1, 2]\nranks = [1, 2]\n"
      "[size]\nimage = [16, 32]\nclasses = [2, 1000]",
      amdahl);
  result.failed.push_back({"some-<key>", "no memory"});
  const auto series = measured_series(result);
  std::vector<P3Row> rows = p3_rows(result);
  for (P3Row row : p3_rows(result)) {
    row.platform = "Other";
    row.fom *= row.application == "bcr fast" ? 3 : 2;
    rows.push_back(row);
  }
  const auto portability = portability_table(rows);
  const auto predictions = predict_study(result);

  const report::Page page = study_page(result, series, predictions, portability);

  std::vector<std::string> files;
  for (const report::Page::SvgFile& file : page.files()) files.push_back(file.name);
  for (const char* const name :
       {"speed-up-threads.svg", "efficiency-threads.svg", "speed-up-ranks.svg", "efficiency-ranks.svg",
        "cost-image-size.svg", "cost-classes.svg", "regions.svg", "roofline-strict.svg", "roofline-fast.svg",
        "prediction-strong.svg", "prediction-weak.svg"})
    EXPECT_THAT(files, testing::Contains(name));
  EXPECT_THAT(files, testing::Contains(HasSubstr("cascade-")));
  const std::string html = page.html();
  EXPECT_THAT(html, HasSubstr("PREDICTION: strong scaling over ranks"));
  EXPECT_THAT(html, HasSubstr("A model, not a measurement."));
  EXPECT_THAT(html, HasSubstr("some-&lt;key&gt;"));
  EXPECT_THAT(html, testing::Not(HasSubstr("nan")));
  EXPECT_THAT(study_json(result, series, predictions, portability), HasSubstr("predicted, not measured"));
}

}  // namespace
}  // namespace bcr::scale
