#include "src/core/instances.hpp"
#include "src/nn/backends/device_linear.hpp"
#include "src/nn/backends/mkl_linear.hpp"
#include "src/nn/backends/strict_linear.hpp"

namespace bcr::nn {

template <class Exec, class T>
std::unique_ptr<LinearBackend<Exec, T>> make_linear_backend(const LinearProblem& problem, const Mode mode) {
  if (mode == Mode::fast) {
    if (auto library = make_device_linear<Exec, T>()) return library;
    if (auto library = make_mkl_linear<Exec, T>()) return library;
  }
  return make_strict_linear<Exec, T>(problem);
}

#define BCR_INSTANCE(Exec, T) \
  template std::unique_ptr<LinearBackend<Exec, T>> make_linear_backend<Exec, T>(const LinearProblem&, Mode);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::nn
