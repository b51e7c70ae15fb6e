// Stands in for mkl_linear.cpp in a build without oneMKL.
#include "src/core/instances.hpp"
#include "src/nn/backends/mkl_linear.hpp"

namespace bcr::nn {

template <class Exec, class T>
std::unique_ptr<LinearBackend<Exec, T>> make_mkl_linear() {
  return nullptr;
}

std::string mkl_version() {
  return "none";
}

#define BCR_INSTANCE(Exec, T) template std::unique_ptr<LinearBackend<Exec, T>> make_mkl_linear<Exec, T>();
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::nn
