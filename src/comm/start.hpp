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

/// Whether this build has MPI.
bool has_mpi();

/// The same ranks with messages between devices by NCCL or RCCL; those in host memory still go the way of `host`, which
/// must outlive the result. To be called on all ranks when each has chosen its device (after Kokkos is up), and
/// destroyed before the device is given up. Null where this build has neither library, for a single rank, or if the
/// environment says BCR_NCCL=off.
std::unique_ptr<Communicator> make_device_communicator(Communicator& host);

// What the functions above stand on. Each is in a source that only builds with its library have.

/// MPI's version of itself, shortened; may be asked before MPI is up.
std::string mpi_library();
/// Brings MPI up; the destructor takes it down. Once in a process.
std::unique_ptr<Communicator> start_mpi();
/// NCCL or RCCL over the ranks of `host`.
std::unique_ptr<Communicator> start_nccl(Communicator& host);

}  // namespace bcr::comm

#endif
