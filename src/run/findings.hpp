#ifndef BCR_SRC_RUN_FINDINGS_HPP
#define BCR_SRC_RUN_FINDINGS_HPP

#include <fmt/format.h>

#include <string>
#include <vector>

namespace bcr::run {

/// What was found out about one statement of a run.
struct Finding {
  enum class Verdict { right, wrong, unknown };

  Verdict verdict = Verdict::right;
  std::string file;
  std::string text;  ///< one sentence
};

/// Findings as they are made.
class Findings {
 public:
  void add(const Finding::Verdict verdict, const std::string& file, const std::string& text) {
    list_.push_back({verdict, file, text});
  }
  void right(const std::string& file, const std::string& text) { add(Finding::Verdict::right, file, text); }
  void wrong(const std::string& file, const std::string& text) { add(Finding::Verdict::wrong, file, text); }
  void unknown(const std::string& file, const std::string& text) { add(Finding::Verdict::unknown, file, text); }

  /// One statement of a file beside what it speaks about.
  void expect(const std::string& file, const std::string& what, const std::string& expected,
              const std::string& received) {
    if (expected == received) return right(file, what);
    wrong(file, fmt::format("{}: expected {}, received {}", what, expected, received));
  }

  const std::vector<Finding>& list() const noexcept { return list_; }

 private:
  std::vector<Finding> list_;
};

}  // namespace bcr::run

#endif
