#ifndef BCR_SRC_COMM_START_HPP
#define BCR_SRC_COMM_START_HPP

#include "src/comm/communicator.hpp"

namespace bcr::comm {

/// The communicator of this process: MPI if a launcher (mpirun, mpiexec, srun) started several, else a serial one. MPI
/// is brought up here, before Kokkos, and taken down by the destructor, after Kokkos. The environment variable BCR_MPI
/// overrules: `on` brings MPI up in any case, `off` never.
///
/// A ConfigError if several ranks were started and this build has no MPI, or MPI does not see them: they would all
/// write the same files.
std::unique_ptr<Communicator> start_communicator();

/// What the launcher says about the number of ranks; 0 if there is none. Read from the environment of Open MPI, MPICH
/// and relatives (PMI), Slurm and PALS.
int ranks_of_launcher();

/// For `--version`: "Open MPI v4.1.4" or "none".
std::string message_library();

}  // namespace bcr::comm

#endif
