// Metrics and scores that belong together are found to; whatever is changed in one of them is not.
#include "io/splits/split.hpp"
#include "src/run/set_metrics.hpp"
#include "src/run/verify_evaluation.hpp"

#include <gmock/gmock.h>

namespace bcr::run {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

io::SetScores answers(const std::vector<std::int32_t>& labels, const std::vector<std::int32_t>& predictions,
                      const std::vector<double>& energy) {
  io::SetScores set;
  set.labels = labels;
  set.predictions = predictions;
  set.scores = {{"energy", energy}};
  for (const double score : energy) set.outputs.insert(set.outputs.end(), {float(score), 0});
  set.decisions = {{"energy.recall", decide(set, "energy", 2.0, 2)}};
  return set;
}

class Evaluation : public ::testing::Test {
 protected:
  Evaluation() {
    scores.default_score = "energy";
    scores.class_names = {"cat", "dog"};
    scores.known = answers({0, 1, 1, 0}, {0, 1, 0, 0}, {5, 4, 1, 3});
    scores.unknown = {{"ships", answers({1, 1, 1}, {0, 0, 1}, {0.5, 2.5, 3.5})}};
    scores.unknown[0].second.class_names = {"cat", "ship"};
    const io::Split split{.name = "pets",
                          .trial = 0,
                          .known = {"animals", io::ClassChoice::Rule::only, {"cat", "dog"}},
                          .background = {},
                          .unknown = {{"ships", io::ClassChoice::Rule::only, {"ship"}}}};
    checkpoint.class_names = scores.class_names;
    checkpoint.split = io::split_text(split);
    checkpoint.split_hash = io::split_hash(split);
    metrics = metrics_of_answers(scores.known, scores.unknown, std::nullopt, 2);
    metrics.default_score = "energy";
    metrics.decisions["energy"]["recall"] = {2.0, "accepts most"};
    metrics.from.split_hash = checkpoint.split_hash;
    metrics.test_logits_sha256 = outputs_sha256({&scores.known, &scores.unknown[0].second}, 2);
  }

  /// What is said that is not right, a line each.
  std::string faults() const {
    Findings findings;
    compare_with_scores(metrics, scores, findings);
    compare_with_split(metrics, scores, checkpoint, findings);
    std::string text;
    for (const Finding& finding : findings.list())
      if (finding.verdict != Finding::Verdict::right) text += finding.file + "  " + finding.text + "\n";
    return text;
  }

  io::ScoresFile scores;
  io::Checkpoint checkpoint;
  Metrics metrics;
};

TEST_F(Evaluation, AgreesWithItself) {
  EXPECT_THAT(faults(), IsEmpty());
  EXPECT_EQ(metrics.accuracy, 0.75);
  // Of 4 x 3 pairs of a known and an unknown score, 5 > all; 4 > all; 1 > 0.5; 3 > 0.5 and 2.5.
  EXPECT_EQ(metrics.sets[0].scores.at("energy").at("auroc"), 9.0 / 12);
}

TEST_F(Evaluation, ChangedNumbersAreFound) {
  metrics.sets[0].scores["energy"]["auroc"] += 1e-9;
  EXPECT_THAT(faults(), HasSubstr("sets.ships.energy.auroc: expected 0.75, received 0.750000000"));
}

TEST_F(Evaluation, NumbersOfNobodyAreTold) {
  metrics.sets[0].scores["energy"]["goodness"] = 1;
  EXPECT_THAT(faults(), HasSubstr("does not know: sets.ships.energy.goodness"));
  metrics.average["energy"].erase("auroc");
  EXPECT_THAT(faults(), HasSubstr("lacks numbers that follow from scores.h5: average.energy.auroc"));
  metrics.average["other"] = {{"auroc", 1.0}};
  EXPECT_THAT(faults(), HasSubstr("average.other: expected in both files, received in metrics.json alone"));
}

TEST_F(Evaluation, ChangedScoresLabelsAndAnswersAreFound) {
  const io::ScoresFile before = scores;
  scores.unknown[0].second.scores[0].second[2] = 0;
  EXPECT_THAT(faults(), HasSubstr("sets.ships.energy.auroc"));
  scores = before;
  scores.known.labels[2] = 0;
  EXPECT_THAT(faults(), HasSubstr("does not follow from scores.h5: accuracy: expected 1, received 0.75"));
  scores = before;
  scores.known.outputs[0] = 0;
  EXPECT_THAT(faults(), HasSubstr("names the digest of the outputs"));
  scores = before;
  metrics.decisions["energy"]["recall"].threshold = 3.0;
  EXPECT_THAT(faults(), HasSubstr("decision energy.recall is not what the threshold 3 of metrics.json makes"));
  scores.known.decisions.clear();
  EXPECT_THAT(faults(), HasSubstr("macro_f1_recall"));
}

TEST_F(Evaluation, OtherSetsAndClassesAreFound) {
  const io::ScoresFile before = scores;
  scores.unknown[0].first = "boats";
  EXPECT_THAT(faults(), HasSubstr("have the unknown sets of metrics.json: expected ships, received boats"));
  EXPECT_THAT(faults(), HasSubstr("boats: expected an unknown set of the split, ships"));
  scores = before;
  scores.unknown[0].second.labels[1] = 0;
  EXPECT_THAT(faults(), HasSubstr("ships: expected classes that the split calls unknown, received cat"));
  scores = before;
  scores.class_names = {"dog", "cat"};
  EXPECT_THAT(faults(), HasSubstr("have the classes of the checkpoint: expected cat, dog, received dog, cat"));
  scores = before;
  metrics.from.split_hash = "another";
  EXPECT_THAT(faults(), HasSubstr("other unknown classes were asked for"));
}

}  // namespace
}  // namespace bcr::run
