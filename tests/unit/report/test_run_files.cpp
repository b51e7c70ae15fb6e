// What a report reads and computes: examples, ROC and OSCR curves, the plane of the features, the paper.
#include "io/hdf5/scores_file.hpp"
#include "src/report/figures/principal_axes.hpp"
#include "src/report/figures/run_figures.hpp"
#include "src/report/run/run_scores.hpp"
#include "src/report/tables/paper_results.hpp"

#include "src/core/error.hpp"
#include "tests/support/scratch_directory.hpp"
#include "tests/support/tolerance.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace {

using namespace bcr::report;
using testing::HasSubstr;

TEST(ScoreCurves, HaveTheAreaThatPairsOfImagesGive) {
  const std::vector<double> known{0.9, 0.8, 0.4, 0.4}, unknown{0.7, 0.4, 0.1};
  const std::vector<std::uint8_t> correct{1, 0, 1, 1};
  const bcr::metrics::ScoreSweep sweep(bcr::metrics::OpenSetScores<double>{known, correct, unknown});
  const auto area = [](const std::vector<Point>& points) {
    double sum = 0;
    for (std::size_t i = 1; i < points.size(); ++i)
      sum += (points[i].x - points[i - 1].x) * (points[i].y + points[i - 1].y) / 2;
    return sum;
  };

  // Pairs: 0.9 and 0.8 win 3 each; each 0.4 loses to 0.7, ties with 0.4 and wins over 0.1.
  EXPECT_NEAR(area(roc_points(sweep)), (3 + 3 + 1.5 + 1.5) / 12, bcr::test::tolerance::metric_sum);
  EXPECT_NEAR(area(oscr_points(sweep)), (3 + 1.5 + 1.5) / 12, bcr::test::tolerance::metric_sum);
  EXPECT_EQ(oscr_points(sweep).back().y, 0.75);
}

TEST(PrincipalPlane, FindsTheAxesOfAStretchedCloud) {
  Rows rows{3, {}};
  for (int i = -3; i <= 3; ++i)  // a grid: 10 along the third axis, 2 along the first, nothing along the second
    for (int j = -3; j <= 3; ++j) rows.values.insert(rows.values.end(), {2.0f * j + 1, 5.0f, 10.0f * i});
  const PrincipalPlane plane = principal_plane(rows);

  EXPECT_NEAR(plane.axes[0][2], 1, bcr::test::tolerance::principal_axis);
  EXPECT_NEAR(plane.axes[1][0], 1, bcr::test::tolerance::principal_axis);
  EXPECT_NEAR(plane.shares[0], 100.0 / 104, bcr::test::tolerance::principal_axis);
  EXPECT_NEAR(plane.project(rows.row(0)).x, -30, 30 * bcr::test::tolerance::principal_axis);
}

TEST(Examples, OfTextsComeFromTheFileAndAreEscaped) {
  const bcr::test::ScratchDirectory directory;
  const auto path = directory.path() / "scores.h5";
  bcr::io::ScoresFile file;
  file.default_score = "min_distance";
  file.class_names = {"sci.space", "rec.autos"};
  file.known = {.labels = {0}, .predictions = {1}, .scores = {{"min_distance", {-1.0}}}};
  bcr::io::ExampleImages& example = file.examples.emplace_back();
  example.name = "worst_known";
  example.texts = {"if a < b & c </script>"};
  example.indices = {0};
  example.labels = {0};
  example.predictions = {1};
  example.scores = {-1.0};
  bcr::io::write_scores_file(path, file);

  const RunScores scores = read_scores(path);
  const std::string html = example_sheets(scores);

  ASSERT_EQ(scores.examples.size(), 1U);
  EXPECT_EQ(scores.examples[0].texts, example.texts);
  EXPECT_NE(html.find("if a &lt; b &amp; c &lt;/script&gt;"), std::string::npos);
  EXPECT_EQ(html.find("</script>"), std::string::npos);
  EXPECT_EQ(html.find("<img"), std::string::npos);
}

TEST(Published, HasTheNumbersOfThePaper) {
  const auto ours = paper_result_beside("cifar10", "class_inclusion", 5.0, "WRN-40-2");
  const auto small = paper_result_beside("cifar10", "class_inclusion", 0.5, "WRN-40-2");
  ASSERT_TRUE(ours && small);

  EXPECT_EQ(ours->metrics.at("accuracy"), 0.973);
  EXPECT_EQ(ours->metrics.at("auroc"), 0.948);
  EXPECT_EQ(ours->metrics.at("ccr_fpr_1e-1"), 0.870);
  EXPECT_EQ(small->metrics.at("auroc"), 0.928);
  EXPECT_FALSE(paper_result_beside("fashion-mnist", "class_inclusion", 1.0, "WRN-10-1"));
}

TEST(Published, StandsBesideTheSameNetworkMethodAndDecisionAlone) {
  const auto vgg = paper_result_beside("cifar10", "class_inclusion", 5.0, "VGG");
  const auto wide = paper_result_beside("cifar10", "class_inclusion", 5.0, "WRN-40-2");
  const auto resnet = paper_result_beside("whole-cifar10", "class_inclusion", 5.0, "ResNet-18");
  const auto softmax = paper_result_beside("cifar10", "softmax", {}, "VGG");
  const auto openmax = paper_result_beside("cifar10", "openmax", {}, "VGG");
  ASSERT_TRUE(vgg && wide && resnet && softmax && openmax);

  EXPECT_EQ(vgg->metrics, (std::map<std::string, double>{{"macro_f1_recall", 0.761}}));
  EXPECT_FALSE(wide->metrics.contains("macro_f1_recall"));
  EXPECT_EQ(resnet->metrics.at("auroc"), 0.991);  // not the 0.989 of a wide residual network
  EXPECT_EQ(softmax->metrics, (std::map<std::string, double>{{"macro_f1_tau", 0.600}}));
  EXPECT_EQ(openmax->metrics, (std::map<std::string, double>{{"macro_f1_own", 0.623}}));
  EXPECT_FALSE(paper_result_beside("cifar10", "class_inclusion", 5.0, "ResNet-18"));
  EXPECT_FALSE(paper_result_beside("cifar10", "softmax", {}, "WRN-40-2"));
  EXPECT_FALSE(paper_result_beside("cifar10", "CROSR", 1.0, "DHRNet"));  // printed for a VGG
  EXPECT_FALSE(paper_result_beside("cifar10", "CGDL", 1.0, "ladder VAE 4-2-32"));
}

}  // namespace
