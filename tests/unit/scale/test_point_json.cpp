#include "src/core/error.hpp"
#include "tests/unit/scale/sample_points.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bcr::scale {
namespace {

using testing::HasSubstr;

Point point() {
  return test::sample_point(
      {.mode = nn::Mode::fast, .depth = 16, .classes = 21841, .batch = 64, .shards = 4, .seed = 9}, {4, 2}, 0.1 / 3);
}

std::string refusal(const std::string& text) {
  try {
    parse_point(text, "p.json");
  } catch (const IoError& error) {
    return error.what();
  }
  return "";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

TEST(PointJson, ReadsBackWhatItWrites) {
  const Point before = point();

  const Point after = parse_point(point_json(before), "p.json");

  EXPECT_EQ(after.options, before.options);
  EXPECT_EQ(after.resources, before.resources);
  EXPECT_EQ(after.date, before.date);
  EXPECT_EQ(after.machine, before.machine);
  EXPECT_EQ(after.version, before.version);
  EXPECT_EQ(after.step_seconds, before.step_seconds);
  ASSERT_EQ(after.regions.size(), before.regions.size());
  for (std::size_t i = 0; i < after.regions.size(); ++i) {
    EXPECT_EQ(after.regions[i].name, before.regions[i].name);
    EXPECT_EQ(after.regions[i].seconds, before.regions[i].seconds);
    EXPECT_EQ(after.regions[i].multiply_accumulates, before.regions[i].multiply_accumulates);
    EXPECT_EQ(after.regions[i].bytes, before.regions[i].bytes);
  }
  EXPECT_EQ(after.fma_peak, before.fma_peak);
  EXPECT_EQ(after.bandwidth, before.bandwidth);
  EXPECT_EQ(after.parameters, before.parameters);
  EXPECT_EQ(after.message_bytes, before.message_bytes);
  EXPECT_EQ(after.model_bytes, before.model_bytes);
  EXPECT_EQ(after.resident_bytes, before.resident_bytes);
  EXPECT_EQ(after.loss, before.loss);
}

TEST(PointJson, NamesWhatIsWrong) {
  const std::string text = point_json(point());
  EXPECT_THAT(refusal(""), HasSubstr("p.json"));
  EXPECT_THAT(refusal("[]"), HasSubstr("another kind"));
  EXPECT_THAT(refusal("{\"format\": \"bcr metrics\"}"), HasSubstr("another kind"));
  EXPECT_THAT(refusal(text.substr(0, text.size() / 2)), HasSubstr("JSON"));
  EXPECT_THAT(refusal(replaced(text, "\"ranks\": 4", "\"ranks\": \"four\"")), HasSubstr("/resources/ranks"));
  EXPECT_THAT(refusal(replaced(text, "\"roof\"", "\"floor\"")), HasSubstr("/roof/fma_per_second"));
  EXPECT_THAT(refusal(replaced(text, "\"depth\": 16", "\"depth\": 1")), HasSubstr("depth"));
}

TEST(Point, SharesFollowFromWorkAndTime) {
  const Point p = test::sample_point({.batch = 64}, {1, 1}, 0.02);

  EXPECT_EQ(p.step().median, 0.02);
  EXPECT_EQ(p.images_per_second(), 64 / 0.02);
  EXPECT_EQ(p.multiply_accumulates(), 6e8);
  EXPECT_EQ(p.share_of_peak(), 6e8 / 0.02 / 1e11);
  EXPECT_EQ(p.share_of_bandwidth(), 9.1e7 / 0.02 / 2e10);
  EXPECT_EQ(p.region("backward")->seconds.front(), 0.01);
  EXPECT_EQ(p.region("nothing"), nullptr);
}

TEST(PointOptions, HaveNamesThatTellThemApart) {
  PointOptions options{.mode = nn::Mode::fast, .depth = 16, .width = 4, .batch = 64};
  EXPECT_EQ(application_name(options), "bcr fast");
  EXPECT_EQ(problem_name(options), "train wrn-16-4 32x32x3 batch 64 classes 10");
  EXPECT_EQ(platform_name("M", {2, 3}), "M [2x3]");
  EXPECT_EQ(point_key(options, {2, 3}), "fast-wrn-16-4-i32x3-c10-b64-s1-r2-t3");
  options.shards = 2;
  options.bucket_mib = 0;
  options.batch_norm = train::BatchNormScope::global;
  options.backbone = "resnet18";
  EXPECT_EQ(problem_name(options), "train resnet18 32x32x3 batch 64 classes 10 shards 2 global");
  EXPECT_EQ(point_key(options, {2, 3}), "fast-resnet18-i32x3-c10-b64-s2-r2-t3-global-k0");
}

}  // namespace
}  // namespace bcr::scale
