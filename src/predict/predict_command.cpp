#include "src/predict/predict_command.hpp"

#include "src/core/host_tasks.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cstdio>
#include <iostream>

namespace bcr::predict {

void PredictCommand::declare(CLI::App& parser) {
  parser.add_option("MODEL", model_, "a run directory, whose latest checkpoint is taken, or a checkpoint")->required();
  parser.add_option("PATH", paths_,
                    "pictures or texts (.txt), folders of them, data files of bcr-data; -: paths of pictures "
                    "from standard input, or texts, a line each");
  rejection_.declare(parser);
  parser.add_option("--format", format_, "of the output")->check(CLI::IsMember({"csv", "jsonl"}));
  parser.add_option("--fit", fit_, "pictures of another size: scaled and cropped as bcr-data import does, or an error")
      ->check(CLI::IsMember({"crop", "exact"}));
  parser.add_option("--words", words_, "how texts become words: as they stand between spaces, or as 20 Newsgroups")
      ->check(CLI::IsMember({"spaces", "letters"}));
  parser.add_flag("--lines", lines_, "each line of a .txt file is a text");
  parser.add_option("--batch", batch_, "images or texts in a batch")->check(CLI::Range(1, 1 << 16))->type_name("N");
}

void PredictCommand::print(const AnsweredPicture& line, const Predictor& predictor) const {
  const std::vector<std::string>& names = predictor.class_names();
  fmt::print("{}", format_ == "csv" ? csv_line(line, names) : json_line(line, names));
}

std::size_t PredictCommand::run(const Log& log) const {
  Predictor predictor(model_, rejection_.options(), log, batch_);
  const Rejection& rule = predictor.rejection();
  log.info("predict", "{}, {} known classes", predictor.model(), predictor.class_names().size());
  if (rule.rule() == Rule::class_conformal) {
    log.info("predict", "{}: {}", predictor.score_name(), rule.found());
  } else {
    log.info("predict", "unknown is {} < {}: {}", predictor.score_name(), rule.threshold(0), rule.found());
  }

  if (format_ == "csv") fmt::print("{}", csv_heading());
  if (predictor.reads_texts()) return answer_texts(predictor);
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
    print(line, predictor);
  }
  std::fflush(stdout);
  return lines.size() - answered;
}

std::size_t PredictCommand::answer_texts(Predictor& predictor) const {
  const TextReading reading{words_ == "letters" ? io::WordRule::letters : io::WordRule::spaces, lines_};
  TextSource source(paths_, std::cin, reading, predictor.vocabulary());
  std::size_t unreadable = 0;
  std::vector<TextRef> texts;
  while (auto text = source.next()) {
    texts.push_back(std::move(*text));
    if (texts.size() < batch_) continue;
    unreadable += answer(predictor, texts);
    texts.clear();
  }
  return unreadable + answer(predictor, texts);
}

std::size_t PredictCommand::answer(Predictor& predictor, const std::vector<TextRef>& texts) const {
  const auto steps = static_cast<std::size_t>(predictor.steps());
  std::vector<std::int32_t> rows;
  for (const TextRef& text : texts) {
    if (!text.error.empty()) continue;
    rows.resize(rows.size() + steps);
    pad_in_front(text.tokens, std::span(rows).last(steps));
  }
  const std::vector<Answer> answers = predictor.predict(rows);
  std::size_t answered = 0;
  for (const TextRef& text : texts) {
    AnsweredPicture line{text.name, std::nullopt, text.error};
    if (text.error.empty()) line.answer = answers[answered++];
    print(line, predictor);
  }
  std::fflush(stdout);
  return texts.size() - answered;
}

}  // namespace bcr::predict
