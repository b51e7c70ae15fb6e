#include "src/predict/predict_command.hpp"

#include "src/core/host_tasks.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cstdio>
#include <iostream>

namespace bcr::predict {
namespace {

std::vector<std::string> rule_names() {
  std::vector<std::string> names;
  for (const auto& [name, value] : enum_names(Rule())) names.emplace_back(name);
  return names;
}

}  // namespace

void PredictCommand::declare(CLI::App& parser) {
  parser.add_option("MODEL", model_, "a run directory, whose latest checkpoint is taken, or a checkpoint")->required();
  parser.add_option("PATH", paths_,
                    "pictures, folders of pictures, data files of bcr-data; -: paths from standard input");
  parser.add_option("--rule", rule_, "what is unknown; if absent: conformal, or inclusion of a run without validation")
      ->check(CLI::IsMember(rule_names()));
  parser.add_option("--alpha", alpha_, "share of known images that conformal and recall may reject")
      ->type_name("SHARE");
  parser
      .add_option_function<double>(
          "--threshold",
          [this](const double given) {
            threshold_ = given;
            has_threshold_ = true;
          },
          "unknown is what scores less: --rule given")
      ->type_name("SCORE");
  parser.add_option("--format", format_, "of the output")->check(CLI::IsMember({"csv", "jsonl"}));
  parser.add_option("--fit", fit_, "pictures of another size: scaled and cropped as bcr-data import does, or an error")
      ->check(CLI::IsMember({"crop", "exact"}));
  parser.add_option("--batch", batch_, "images in a batch")->check(CLI::Range(1, 1 << 16))->type_name("N");
}

RejectionOptions PredictCommand::rejection() const {
  RejectionOptions options{.rule = std::nullopt, .alpha = alpha_, .threshold = std::nullopt};
  if (has_threshold_) options.threshold = threshold_;
  for (const auto& [name, value] : enum_names(Rule()))
    if (name == rule_) options.rule = value;
  return options;
}

std::size_t PredictCommand::run(const Log& log) const {
  Predictor predictor(model_, rejection(), log, batch_);
  const Rejection& rule = predictor.rejection();
  log.info("predict", "{}, {} known classes", predictor.model(), predictor.class_names().size());
  if (rule.rule() == Rule::class_conformal) {
    log.info("predict", "{}: {}", predictor.score_name(), rule.found());
  } else {
    log.info("predict", "unknown is {} < {}: {}", predictor.score_name(), rule.threshold(0), rule.found());
  }

  if (format_ == "csv") fmt::print("{}", csv_heading());
  PictureSource source(paths_, std::cin);
  std::size_t unreadable = 0;
  std::vector<PictureRef> pictures;
  while (auto picture = source.next()) {
    pictures.push_back(std::move(*picture));
    if (pictures.size() < batch_) continue;
    unreadable += answer(predictor, pictures);
    pictures.clear();
  }
  return unreadable + answer(predictor, pictures);
}

std::size_t PredictCommand::answer(Predictor& predictor, const std::vector<PictureRef>& pictures) const {
  const auto [height, width, channels] = predictor.image();
  const std::size_t bytes = predictor.image().size();
  std::vector<std::uint8_t> pixels(pictures.size() * bytes);
  std::vector<AnsweredPicture> lines(pictures.size());
  for_each_task("bcr::predict::decode", pictures.size(), [&](const std::size_t i) {
    lines[i] = {pictures[i].name, std::nullopt, pictures[i].error};
    if (!lines[i].error.empty()) return;
    try {
      read_pixels(pictures[i], fit_ == "exact" ? Fit::exact : Fit::crop, std::size_t(height), std::size_t(width),
                  std::size_t(channels), std::span(pixels).subspan(i * bytes, bytes));
    } catch (const std::exception& error) {
      lines[i].error = error.what();
    }
  });

  std::vector<std::uint8_t> readable;
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (lines[i].error.empty())
      readable.insert(readable.end(), pixels.begin() + std::ptrdiff_t(i * bytes),
                      pixels.begin() + std::ptrdiff_t((i + 1) * bytes));
  const std::vector<Answer> answers = predictor.predict(readable);
  std::size_t answered = 0;
  for (AnsweredPicture& line : lines) {
    if (line.error.empty()) line.answer = answers[answered++];
    fmt::print("{}",
               format_ == "csv" ? csv_line(line, predictor.class_names()) : json_line(line, predictor.class_names()));
  }
  std::fflush(stdout);
  return lines.size() - answered;
}

}  // namespace bcr::predict
