#ifndef BCR_TESTS_PTX_ERROR_HPP
#define BCR_TESTS_PTX_ERROR_HPP

#include <stdexcept>

namespace bcr::test::ptx {

/// Everything the executor refuses: text it cannot read, an instruction it does not know, an access outside the memory
/// of the device, lanes that wait for each other for ever.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace bcr::test::ptx

#endif
