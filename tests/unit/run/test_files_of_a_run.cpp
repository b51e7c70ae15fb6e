// Every file of a run directory gives back what was put into it, and notices if that has changed.
#include "src/core/error.hpp"
#include "src/core/json_depth.hpp"
#include "src/core/manifest.hpp"
#include "src/core/sealed_text.hpp"
#include "src/core/sha256.hpp"
#include "src/core/text_file.hpp"
#include "src/run/manifest_file.hpp"
#include "src/run/metrics_file.hpp"
#include "src/run/train_log.hpp"
#include "tests/support/invalid_trap.hpp"
#include "tests/support/scratch_directory.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <limits>

namespace bcr::run {
namespace {

using ::testing::HasSubstr;

template <class Error, class Function>
std::string refusal(const Function& function) {
  try {
    function();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(SealedText, KnowsItsOwnDigest) {
  const std::string open = "{\n  \"a\": 1,\n  \"checksum\": \"" + std::string(open_seal) + "\"\n}\n";
  const std::string sealed = seal(open);

  EXPECT_THAT(sealed, HasSubstr(sha256_hex(open)));
  EXPECT_EQ(seal_of(sealed), Seal::right);
  EXPECT_EQ(seal_of(open), Seal::wrong);
  EXPECT_EQ(seal_of("{\"a\": 1}\n"), Seal::absent);
  EXPECT_EQ(seal("{\"a\": 1}\n"), "{\"a\": 1}\n");
}

TEST(SealedText, NoticesAnyChangedByte) {
  const std::string sealed = seal("{\n  \"a\": 1,\n  \"checksum\": \"" + std::string(open_seal) + "\"\n}\n");
  for (std::size_t i = 0; i < sealed.size(); ++i) {
    std::string changed = sealed;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    // A member of another name is no seal: what then is no more there is noticed by whoever wants it (the version).
    EXPECT_NE(seal_of(changed), Seal::right) << i;
  }
}

class RunFiles : public ::testing::Test {
 protected:
  void change(const std::string& from, const std::string& to) const {
    std::string text = read_text(path_);
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos);
    std::ofstream(path_, std::ios::binary) << text.replace(at, from.size(), to);
  }

  test::ScratchDirectory directory_;
  std::filesystem::path path_ = directory_.path() / "file";
};

TEST(DeepJson, IsRefusedByEveryReader) {
  const auto deep = [](const std::size_t depth, const std::string& open, const std::string& close) {
    std::string text = "{\"a\": ";
    for (std::size_t i = 1; i < depth; ++i) text += open;
    text += "1";
    for (std::size_t i = 1; i < depth; ++i) text += close;
    return text + "}";
  };
  for (const auto& [open, close] : {std::pair("[", "]"), std::pair("{\"b\":", "}")}) {
    const std::string absurd = deep(200'000, open, close);
    EXPECT_FALSE(parse_line(absurd));
    EXPECT_THROW(parse_train_log(absurd + "\n", "log"), IoError);
    EXPECT_THAT(refusal<IoError>([&] { parse_manifest(absurd, "manifest.json"); }), HasSubstr("within each other"));
    EXPECT_THAT(refusal<IoError>([&] { parse_metrics(absurd, "metrics.json"); }), HasSubstr("within each other"));
    EXPECT_NO_THROW(parse_manifest(deep(deepest_json, open, close), "manifest.json"));
    EXPECT_THROW(parse_manifest(deep(deepest_json + 1, open, close), "manifest.json"), IoError);
  }
  EXPECT_FALSE(is_too_deep("{\"text\": \"" + std::string(200, '[') + "\\\"" + std::string(200, '{') + "\"}"));
}

Metrics example_metrics() {
  Metrics metrics;
  metrics.default_score = "min_distance";
  metrics.accuracy = 0.1 + 0.2;
  metrics.validation_accuracy = 1.0 / 3;
  metrics.test_logits_sha256 = "abc";
  metrics.from = {"checkpoint-latest.h5", std::uint64_t{1} << 40, "def", "012", {{"known_train", {"345", "678"}}}};
  metrics.sets = {{"second", {{"min_distance", {{"auroc", 0.75}, {"accuracy", 0.5}}}}},
                  {"first", {{"energy", {{"auroc", 5e-324}}}}}};
  metrics.average = {{"min_distance", {{"auroc", 0.7}}}};
  metrics.decisions = {{"min_distance", {{"inclusion", {-63.3, "P_I = 1/2"}}, {"recall", {-70.1, "95 % of 9 images"}}}},
                       {"openmax", {{"own", {std::nullopt, "C + 1 outcomes"}}}}};
  metrics.reference = {{"feature", 1e-6}, {"images", 1000}};
  metrics.seconds = {{"network", {{"per_10000", 12.5}}}, {"knn", {{"fit", 0.25}, {"per_10000", 3}}}};
  return metrics;
}

TEST_F(RunFiles, GiveBackMetrics) {
  const Metrics metrics = example_metrics();
  write_metrics(path_, metrics);

  EXPECT_EQ(parse_metrics(read_text(path_), "metrics.json"), metrics);
  EXPECT_THAT(read_text(path_), HasSubstr("\"version\": 2"));
  EXPECT_EQ(metrics.overall("auroc"), 0.7);
}

TEST_F(RunFiles, LeaveOutNumbersThatAreNone) {
  const test::InvalidTrapOff nan_may_live;
  Metrics metrics;
  metrics.default_score = "energy";
  metrics.average = {{"energy", {{"auroc", std::nan("")}, {"fpr95_known", 0.5}}}};
  metrics.decisions = {{"energy", {{"recall", {-std::numeric_limits<double>::infinity(), ""}}}}};
  write_metrics(path_, metrics);
  const Metrics read = parse_metrics(read_text(path_), "metrics.json");

  EXPECT_THAT(read_text(path_), HasSubstr("\"-inf\""));
  EXPECT_EQ(read.average.at("energy"), (NumberTable{{"fpr95_known", 0.5}}));
  EXPECT_FALSE(read.decisions.at("energy").at("recall").threshold);
  EXPECT_FALSE(read.accuracy);
}

TEST_F(RunFiles, NoticeChangedMetrics) {
  write_metrics(path_, example_metrics());
  change("0.75", "0.95");

  EXPECT_THAT(refusal<IoError>([&] { parse_metrics(read_text(path_), "metrics.json"); }), HasSubstr("metrics.json"));
}

TEST_F(RunFiles, RefuseMetricsOfAnotherFormat) {
  EXPECT_THAT(refusal<IoError>([] { parse_metrics("{\"format\": \"x\"}", "m"); }), HasSubstr("bcr metrics"));
  EXPECT_THAT(refusal<IoError>([] { parse_metrics("{\"version\": 3}", "m"); }), HasSubstr("version 3"));
  EXPECT_THAT(refusal<IoError>([] { parse_metrics("[]", "m"); }), HasSubstr("object"));
  EXPECT_EQ(parse_metrics("{\"version\": 1, \"accuracy\": 0.5}", "m").accuracy, 0.5) << "of an early program";
}

TEST_F(RunFiles, GiveBackMetricsOfTrials) {
  const TrialMetrics metrics{3, "energy", {{"energy", {{"auroc", {0.75, 0.125}}, {"accuracy", {0.5, {}}}}}}};
  write_trial_metrics(path_, metrics);

  EXPECT_EQ(parse_trial_metrics(read_text(path_), "metrics.json"), metrics);
}

TEST_F(RunFiles, GiveBackTheManifestAndItsParts) {
  const std::vector<RunPart> parts{{"a", "git", 4, 2, 0, "now"}, {"b", "tig", 1, 1, 60, "then"}};
  Manifest manifest;
  manifest.set("seed", 7);
  manifest.set("sha256.final_weights", std::string("abc"));
  manifest.set_value("parts", parts_value(parts));
  manifest.write(path_);
  const ManifestEntries entries = parse_manifest(read_text(path_), "manifest.json");

  EXPECT_EQ(entries.text("seed"), "7");
  EXPECT_EQ(entries.text("sha256.final_weights"), "abc");
  EXPECT_EQ(entries.text("format_version"), "1");
  EXPECT_EQ(entries.text("absent"), "");
  EXPECT_EQ(read_parts(path_), parts);
  change("\"abc\"", "\"abd\"");
  EXPECT_THAT(refusal<IoError>([&] { parse_manifest(read_text(path_), "manifest.json"); }), HasSubstr("SHA-256"));
}

LogRecord step_record(const std::int64_t step, const double loss) {
  return LogRecord("step").set("step", step).set("epoch", 0.5).set("loss.total", loss).set("loss.accuracy", 0.25);
}

TEST(LogRecords, AreLinesAndBack) {
  const test::InvalidTrapOff nan_may_live;
  const LogRecord record = step_record(3, 1.0 / 3).set("seconds.data", 2e-9).set("score", std::string("a \"b\""));

  EXPECT_EQ(parse_line(record.to_line()), record);
  EXPECT_THAT(record.to_line(), HasSubstr("\"loss\":{\"total\":0.333"));
  EXPECT_EQ(record.number("step"), 3);
  EXPECT_EQ(record.text("score"), "a \"b\"");
  EXPECT_FALSE(record.number("score"));
  EXPECT_FALSE(parse_line("{\"kind\":"));
  EXPECT_FALSE(parse_line(step_record(1, std::nan("")).to_line())->number("loss.total"));
}

class LogFiles : public RunFiles {
 protected:
  void SetUp() override {
    TrainLogFile file(path_);
    for (std::int64_t step = 1; step <= 4; ++step) file.append(step_record(step, 1.0 / double(step)));
  }
  TrainLog read() const { return parse_train_log(read_text(path_), "train.jsonl"); }
};

TEST_F(LogFiles, GiveBackTheirRecordsAndGoOn) {
  {
    TrainLogFile again(path_);
    again.append(LogRecord("resume").set("step", std::int64_t{2}));
    again.append(step_record(3, 7));
    again.append(LogRecord("validation").set("step", std::int64_t{4}).set("accuracy", 0.5));
    again.append(LogRecord("end").set("step", std::int64_t{4}).set("reason", std::string("done")));
  }
  const TrainLog log = read();

  ASSERT_EQ(log.steps.size(), 4U);
  EXPECT_EQ(log.steps[3], step_record(4, 0.25));
  EXPECT_EQ(log.steps[2].number("loss.total"), 7) << "the later of two lines counts";
  EXPECT_EQ(log.validations.size(), 1U);
  EXPECT_EQ(log.resumes, 1U);
  EXPECT_EQ(log.end_reason, "done");
  EXPECT_TRUE(log.is_chained);
  EXPECT_THAT(read_text(path_), ::testing::StartsWith("{\"kind\":\"log\",\"format\":\"bcr train log\",\"version\":1"));
}

TEST_F(LogFiles, NoticeALineThatIsChangedLeftOutOrPutIn) {
  const std::string text = read_text(path_);
  const auto lines_refused = [&](const std::string& changed) {
    return refusal<IoError>([&] { parse_train_log(changed, "train.jsonl"); });
  };
  const std::size_t second = text.find("{\"kind\":\"step\",\"step\":2"), third = text.find("{\"kind\":\"step\",\"step\":3");
  std::string changed = text, shorter = text, longer = text;
  changed[text.find("0.5,", second)] = '1';
  shorter.erase(second, third - second);
  longer.insert(third, text.substr(second, third - second));

  EXPECT_THAT(lines_refused(changed), HasSubstr("train.jsonl:3"));
  EXPECT_THAT(lines_refused(shorter), HasSubstr("train.jsonl:3"));
  EXPECT_THAT(lines_refused(longer), HasSubstr("train.jsonl:4"));
  EXPECT_EQ(lines_refused(text), "no error");
}

TEST_F(LogFiles, CutOffHalfALineAndGoOnFromTheLastWholeOne) {
  std::ofstream(path_, std::ios::app) << "{\"kind\":\"st";
  TrainLogFile file(path_);
  file.append(step_record(5, 1));

  EXPECT_EQ(file.bytes_cut(), 11U);
  EXPECT_EQ(read().steps.size(), 5U);
}

TEST_F(LogFiles, OfEarlyProgramsGoOn) {
  std::ofstream(path_) << "{\"kind\":\"step\",\"step\":1}\n";
  EXPECT_FALSE(read().is_chained);
  TrainLogFile(path_).append(step_record(2, 1));

  EXPECT_EQ(read().steps.size(), 2U);
  EXPECT_TRUE(read().is_chained);
}

TEST(TrainLogs, LetTheLaterOfTwoLinesCount) {
  const TrainLog log = parse_train_log(
      "{\"kind\":\"step\",\"step\":1,\"epoch\":0.5,\"loss\":{\"total\":3}}\n"
      "{\"kind\":\"resume\",\"step\":0}\n"
      "{\"kind\":\"step\",\"step\":1,\"epoch\":0.5,\"loss\":{\"total\":2}}\n"
      "{\"kind\":\"end\",\"step\":1,\"reason\":\"done\"}\n",
      "train.jsonl");

  ASSERT_EQ(log.steps.size(), 1u);
  EXPECT_EQ(log.steps[0].number("loss.total"), 2);
  EXPECT_EQ(log.resumes, 1u);
  EXPECT_EQ(log.end_reason, "done");
}

TEST(TrainLogs, PassOverALineThatAKilledProgramLeft) {
  const TrainLog log = parse_train_log("{\"kind\":\"epoch\",\"step\":1,\"epoch\":1}\n{\"kind\":\"ep", "train.jsonl");

  EXPECT_EQ(log.epochs.size(), 1u);
}

TEST(TrainLogs, PassOverLinesThatAFullDiskTore) {
  const TrainLog log = parse_train_log(
      "{\"kind\":\"epoch\",\"step\":1,\"epoch\":1}\n{\"kind\":\"ep\n{\"kind\":\"epoch\",\"step\":2,\"epoch\":2}\n",
      "train.jsonl");

  EXPECT_EQ(log.epochs.size(), 2u);
  EXPECT_EQ(log.torn_lines, 1u);
}

TEST(TrainLogs, AreRefusedIfTheyAreAFileOfAnotherKind) {
  try {
    parse_train_log("\nnonsense\nmore\n", "some.jsonl");
    FAIL() << "nonsense was taken";
  } catch (const bcr::IoError& error) {
    EXPECT_THAT(error.what(), HasSubstr("some.jsonl"));
    EXPECT_THAT(error.what(), HasSubstr("2"));
  }
}

}  // namespace
}  // namespace bcr::run
