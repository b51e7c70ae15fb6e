#ifndef BCR_SRC_COMM_MPI_COMMUNICATOR_HPP
#define BCR_SRC_COMM_MPI_COMMUNICATOR_HPP

#include "src/comm/communicator.hpp"

namespace bcr::comm {

/// Whether this build has MPI. Without it, no_mpi.cpp stands in for mpi_communicator.cpp.
bool has_mpi();

/// MPI's version of itself, shortened; may be asked before MPI is up.
std::string mpi_library();

/// Brings MPI up; the destructor takes it down. Once in a process.
std::unique_ptr<Communicator> start_mpi();

}  // namespace bcr::comm

#endif
