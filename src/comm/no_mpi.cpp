#include "src/comm/mpi_communicator.hpp"
#include "src/core/error.hpp"

namespace bcr::comm {

bool has_mpi() {
  return false;
}

std::string mpi_library() {
  return "none";
}

std::unique_ptr<Communicator> start_mpi() {
  throw BackendError("start_mpi", "a build with MPI (CMake: BCR_ENABLE_MPI=ON)", "a build without");
}

}  // namespace bcr::comm
