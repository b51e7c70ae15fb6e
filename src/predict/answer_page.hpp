#ifndef BCR_SRC_PREDICT_ANSWER_PAGE_HPP
#define BCR_SRC_PREDICT_ANSWER_PAGE_HPP

#include "src/predict/answer_lines.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace bcr::predict {

/// Answers as an HTML page that needs nothing but itself, in pieces: head(), a card for each picture in the order they
/// come, foot(). So a page of any length takes no memory here but the counts of its labels, which come last and are
/// shown first.
class AnswerPage {
 public:
  struct Facts {
    std::string model;      ///< what it is
    std::string file;       ///< where it is from
    std::string score;      ///< what decides
    std::string threshold;  ///< how its threshold was found, and which it is
    std::string fit;        ///< what was done to pictures of other sizes
  };

  AnswerPage(Facts facts, std::vector<std::string> class_names)
      : facts_(std::move(facts)), class_names_(std::move(class_names)) {}

  std::string head() const;
  /// `thumbnail` is a data: URL; empty: there is none.
  std::string card(const AnsweredPicture& picture, const std::string& thumbnail);
  std::string foot() const;

 private:
  Facts facts_;
  std::vector<std::string> class_names_;
  std::map<std::string, std::size_t> counts_;
  std::size_t unknown_ = 0;
  std::size_t unreadable_ = 0;
};

}  // namespace bcr::predict

#endif
