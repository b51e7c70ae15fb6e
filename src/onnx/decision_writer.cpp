#include "src/onnx/decision_writer.hpp"

#include "kernels/math/log.hpp"
#include "src/core/error.hpp"

#include <algorithm>

namespace bcr::onnx {
namespace {

using Extents = std::vector<std::int64_t>;

constexpr int double_type = static_cast<int>(Element::float64);

Attributes along_rows(const std::int64_t keep) {
  return {{"axes", Extents{1}}, {"keepdims", keep}};
}

}  // namespace

struct DecisionWriter::ScoreEntry {
  std::string_view name;
  std::string (DecisionWriter::*write)(const std::string&);
};

const std::vector<DecisionWriter::ScoreEntry>& DecisionWriter::entries() {
  static const std::vector<ScoreEntry> list{{"min_distance", &DecisionWriter::min_distance},
                                            {"inclusion", &DecisionWriter::log_inclusion},
                                            {"max_logit", &DecisionWriter::max_logit},
                                            {"max_softmax", &DecisionWriter::max_softmax},
                                            {"energy", &DecisionWriter::energy}};
  return list;
}

std::vector<std::string> DecisionWriter::known_scores() {
  std::vector<std::string> names;
  for (const ScoreEntry& entry : entries()) names.emplace_back(entry.name);
  return names;
}

bool expresses_inclusion(const losses::ScoreShape& shape) {
  return shape.outputs == losses::HeadOutputs::squared_distances && shape.features % 2 == 0;
}

DecisionWriter::DecisionWriter(GraphWriter& file, const Weights& weights, const losses::ScoreShape& shape,
                               const int columns, std::string features)
    : file_(file), weights_(weights), shape_(shape), columns_(columns), features_(std::move(features)) {}

std::string DecisionWriter::write_head(const models::HeadOptions& head) {
  const Extents extents{columns_, shape_.features};
  if (head.name == "distance") {
    // Not by |f|^2 - 2 f mu + |mu|^2, which cancels for a feature near its anchor.
    const auto& anchors = weights_.parameter("head.anchors", {columns_, shape_.features});
    const auto all = file_.constant("head.anchors", Extents{1, columns_, shape_.features}, std::span(anchors));
    const auto rows = file_.add("Unsqueeze", "head/rows", {features_, file_.list("head.class_axis", {1})});
    const auto differences = file_.add("Sub", "head/differences", {rows, all});
    outputs_ = file_.add("ReduceSumSquare", "squared_distances", {differences},
                         {{"axes", Extents{2}}, {"keepdims", 0}});
  } else if (head.name == "linear") {
    const auto& weights = weights_.parameter("head.weights", {columns_, shape_.features});
    std::vector<std::string> sources{features_, file_.constant("head.weights", extents, std::span(weights))};
    if (head.bias)
      sources.push_back(
          file_.constant("head.bias", Extents{columns_}, std::span(weights_.parameter("head.bias", {columns_}))));
    outputs_ = file_.add("Gemm", "logits", sources, {{"transB", 1}});
  } else {
    throw ConfigError("export to ONNX", "the head distance or linear", head.name);
  }
  return outputs_;
}

std::string DecisionWriter::to_double(const std::string& name, const std::string& value) {
  return file_.add("Cast", name, {value}, {{"to", double_type}});
}

std::string DecisionWriter::write_guess() {
  const bool distances = shape_.outputs == losses::HeadOutputs::squared_distances;
  all_ = to_double("scores/outputs", outputs_);
  if (distances) all_ = file_.add("Mul", "scores/z", {all_, file_.scalar("scores.minus_s", -shape_.logit_scale)});
  known_ = all_;
  if (columns_ > shape_.classes)  // a background class, which is never guessed
    known_ = file_.add("Slice", "scores/known", {all_, file_.list("scores.first", {0}),
                                                 file_.list("scores.classes", {shape_.classes}),
                                                 file_.list("scores.axis", {1})});
  guess_ = file_.add("ArgMax", "guess", {known_}, {{"axis", 1}, {"keepdims", 0}});
  return guess_;
}

std::string DecisionWriter::write_score(const std::string_view score, const std::string& name) {
  const auto entry = std::ranges::find(entries(), score, &ScoreEntry::name);
  if (entry == entries().end()) {
    std::string list;
    for (const std::string& known : known_scores()) list += (list.empty() ? "" : ", ") + known;
    throw ConfigError("export to ONNX", "one of the scores " + list, std::string(score));
  }
  const bool fits = losses::all_scores().find(score).fits_outputs(shape_.outputs);
  require<ConfigError>(fits, "export to ONNX", "a score of what this head gives", std::string(score));
  return (this->*entry->write)(name);
}

std::string DecisionWriter::row_maximum(const std::string& name, const std::string& rows) {
  return file_.add("ReduceMax", name, {rows}, along_rows(0));
}

std::string DecisionWriter::log_sum_exp(const std::string& name, const std::string& rows) {
  const auto peak = file_.add("ReduceMax", name + "/peak", {rows}, along_rows(1));
  const auto powers = file_.add("Exp", name + "/exp", {file_.add("Sub", name + "/below_peak", {rows, peak})});
  const auto axis = file_.list(name + ".axis", {1});
  const auto total = file_.add("ReduceSum", name + "/total", {powers, axis}, {{"keepdims", 0}});
  const auto flat_peak = file_.add("Squeeze", name + "/flat_peak", {peak, axis});
  return file_.add("Add", name + "/log_sum_exp", {file_.add("Log", name + "/log", {total}), flat_peak});
}

std::string DecisionWriter::min_distance(const std::string& name) {
  const auto nearest = file_.add("ReduceMax", name + "/best", {known_}, along_rows(0));
  return file_.add("Mul", name, {nearest, file_.scalar(name + ".1_by_s", 1 / shape_.logit_scale)});
}

std::string DecisionWriter::max_logit(const std::string& name) {
  return row_maximum(name, known_);
}

std::string DecisionWriter::max_softmax(const std::string& name) {
  const auto best = row_maximum(name + "/best", known_);
  return file_.add("Exp", name, {file_.add("Sub", name + "/log_share", {best, log_sum_exp(name + "/all", all_)})});
}

std::string DecisionWriter::energy(const std::string& name) {
  const auto warm = file_.add("Mul", name + "/z", {known_, file_.scalar(name + ".1_by_T", 1 / shape_.temperature)});
  return file_.add("Mul", name, {log_sum_exp(name + "/all", warm), file_.scalar(name + ".T", shape_.temperature)});
}

/// With a = n/2 and x = D^2/2, for whole a: Q(a, x) = exp(-x) sum_{k < a} x^k / k! (DLMF 8.4.10), by the logarithms
/// of the terms, k log x - log k!, so that nothing overflows. 1e-300 stands for x = 0, which has no logarithm and the
/// same Q.
std::string DecisionWriter::log_inclusion(const std::string& name) {
  require<ConfigError>(expresses_inclusion(shape_), "export to ONNX",
                       "P_I of an even number of features, a finite sum (min_distance decides the same)",
                       std::to_string(shape_.features) + " features");
  const int a = shape_.features / 2;
  std::vector<double> powers, log_factorials;
  for (int k = 0; k < a; ++k) {
    powers.push_back(k);
    log_factorials.push_back(k == 0 ? 0.0 : log_factorials.back() + kernels::strict::log(double(k)));
  }
  const Extents row{1, a};
  const auto nearest = file_.add("ReduceMax", name + "/best", {known_}, along_rows(1));
  const double half = -0.5 / shape_.logit_scale;
  const auto halved = file_.add("Mul", name + "/half", {nearest, file_.scalar(name + ".half", half)});
  const auto x = file_.add("Max", name + "/x", {halved, file_.scalar(name + ".least", 1e-300)});
  const auto log_x = file_.add("Log", name + "/log_x", {x});
  const auto grown =
      file_.add("Mul", name + "/k_log_x", {log_x, file_.constant(name + ".k", row, std::span<const double>(powers))});
  const auto factorials = file_.constant(name + ".log_k!", row, std::span<const double>(log_factorials));
  const auto terms = file_.add("Sub", name + "/terms", {grown, factorials});
  const auto sum = log_sum_exp(name + "/sum", terms);
  const auto flat_x = file_.add("Squeeze", name + "/flat_x", {x, file_.list(name + ".x_axis", {1})});
  const auto log_q = file_.add("Sub", name + "/log_q", {sum, flat_x});
  return file_.add("Min", name, {log_q, file_.scalar(name + ".most", 0.0)});  // rounding may say more than 1
}

std::string DecisionWriter::write_inclusion(const std::string& name) {
  return file_.add("Exp", name, {log_inclusion(name + "/log")});
}

std::string DecisionWriter::write_p_value(const std::string& score, const predict::Rule rule,
                                          const io::Calibration& calibration) {
  const Extents row{1, static_cast<std::int64_t>(calibration.scores.size())};
  const auto axis = file_.list("p_value.axis", {1});
  const auto all = file_.constant("calibration.scores", row, std::span(calibration.scores));
  const auto column = file_.add("Unsqueeze", "p_value/score", {score, axis});
  auto counted = file_.add("GreaterOrEqual", "p_value/not_above", {column, all});  // false for a NaN
  std::string size = file_.scalar("p_value.n_and_1", static_cast<double>(calibration.scores.size() + 1));
  if (rule == predict::Rule::class_conformal) {
    const std::vector<std::int64_t> guesses(calibration.predictions.begin(), calibration.predictions.end());
    std::vector<double> sizes(static_cast<std::size_t>(shape_.classes), 1.0);
    for (const std::int64_t guess : guesses) ++sizes[static_cast<std::size_t>(guess)];
    const auto of_samples = file_.constant("calibration.guesses", row, std::span(guesses));
    const auto guess = file_.add("Unsqueeze", "p_value/guess", {guess_, axis});
    const auto same = file_.add("Equal", "p_value/same_guess", {guess, of_samples});
    counted = file_.add("And", "p_value/counted", {counted, same});
    const auto table = file_.constant("p_value.sizes", Extents{shape_.classes}, std::span<const double>(sizes));
    size = file_.add("Gather", "p_value/size", {table, guess_}, {{"axis", 0}});
  }
  const auto count =
      file_.add("ReduceSum", "p_value/count", {to_double("p_value/ones", counted), axis}, {{"keepdims", 0}});
  const auto with_own = file_.add("Add", "p_value/count_and_1", {count, file_.scalar("p_value.1", 1.0)});
  return file_.add("Div", "p_value", {with_own, size});
}

void DecisionWriter::write_decision(const std::string& score, const predict::Rejection& rule) {
  std::string threshold;
  if (rule.rule() == predict::Rule::class_conformal) {
    std::vector<double> thresholds;
    for (int c = 0; c < shape_.classes; ++c) thresholds.push_back(rule.threshold(c));
    const auto all = file_.constant("thresholds", Extents{shape_.classes}, std::span<const double>(thresholds));
    threshold = file_.add("Gather", "decision/threshold", {all, guess_}, {{"axis", 0}});
  } else {
    threshold = file_.scalar("threshold", rule.threshold(0));
  }
  const auto accepted = file_.add("GreaterOrEqual", "decision/known", {score, threshold});  // false for a NaN
  file_.add("Not", "unknown", {accepted});
  file_.add("Where", "label", {accepted, guess_, file_.scalar("decision.unknown", std::int64_t{-1})});
}

}  // namespace bcr::onnx
