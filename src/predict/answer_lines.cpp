#include "src/predict/answer_lines.hpp"

#include "src/core/csv.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace bcr::predict {
namespace {

std::string number_field(const std::optional<double> number) {
  return number ? fmt::format("{}", *number) : std::string();
}

nlohmann::ordered_json value(const std::optional<double> number) {
  if (!number || !std::isfinite(*number)) return nullptr;
  return *number;
}

std::string label_of(const Answer& answer, const std::vector<std::string>& class_names) {
  return answer.unknown ? std::string("unknown") : class_names[static_cast<std::size_t>(answer.guess)];
}

}  // namespace

std::string csv_heading() {
  return "path,label,guess,second,score,p_inclusion,distance,p_value,error\n";
}

std::string csv_line(const AnsweredPicture& picture, const std::vector<std::string>& class_names) {
  if (!picture.answer) return fmt::format("{},,,,,,,,{}\n", csv_field(picture.path), csv_field(picture.error));
  const Answer& answer = *picture.answer;
  return fmt::format("{},{},{},{},{},{},{},{},\n", csv_field(picture.path), csv_field(label_of(answer, class_names)),
                     csv_field(class_names[static_cast<std::size_t>(answer.guess)]),
                     answer.second ? csv_field(class_names[static_cast<std::size_t>(*answer.second)]) : std::string(),
                     number_field(answer.score), number_field(answer.inclusion), number_field(answer.distance),
                     number_field(answer.p_value));
}

std::string json_line(const AnsweredPicture& picture, const std::vector<std::string>& class_names) {
  nlohmann::ordered_json line{{"path", picture.path}};
  if (picture.answer) {
    const Answer& answer = *picture.answer;
    line["label"] = label_of(answer, class_names);
    line["guess"] = class_names[static_cast<std::size_t>(answer.guess)];
    line["second"] = nullptr;
    if (answer.second) line["second"] = class_names[static_cast<std::size_t>(*answer.second)];
    line["score"] = value(answer.score);
    line["p_inclusion"] = value(answer.inclusion);
    line["distance"] = value(answer.distance);
    line["p_value"] = value(answer.p_value);
  } else {
    line["error"] = picture.error;
  }
  // Names of files are bytes: what is not UTF-8 is replaced.
  return line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace bcr::predict
