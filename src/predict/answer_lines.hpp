#ifndef BCR_SRC_PREDICT_ANSWER_LINES_HPP
#define BCR_SRC_PREDICT_ANSWER_LINES_HPP

#include "src/predict/answer.hpp"

#include <optional>
#include <string>
#include <vector>

namespace bcr::predict {

/// One line of output: an image and what was said of it, or why nothing was.
struct AnsweredPicture {
  std::string path;
  std::optional<Answer> answer;
  std::string error;
};

/// The names of the columns of csv_line, with a line feed, as all lines here.
std::string csv_heading();
/// As RFC 4180 says: a field with a comma, a quote or a line feed stands in quotes. Numbers have as many digits as it
/// takes to read back the same bits; what is not there is empty.
std::string csv_line(const AnsweredPicture& picture, const std::vector<std::string>& class_names);
/// The same as one JSON object; what is not there, and what is not finite, is null.
std::string json_line(const AnsweredPicture& picture, const std::vector<std::string>& class_names);

}  // namespace bcr::predict

#endif
