#ifndef BCR_SRC_PREDICT_REJECTION_FLAGS_HPP
#define BCR_SRC_PREDICT_REJECTION_FLAGS_HPP

#include "src/predict/rejection.hpp"

#include <string>

namespace CLI {
class App;
}

namespace bcr::predict {

/// --rule, --alpha and --threshold of a command line.
class RejectionFlags {
 public:
  void declare(CLI::App& parser);
  RejectionOptions options() const;

 private:
  std::string rule_;
  double alpha_ = 0.05;
  double threshold_ = 0;
  bool has_threshold_ = false;
};

}  // namespace bcr::predict

#endif
