#ifndef BCR_SRC_COMM_DEVICE_COMMUNICATOR_HPP
#define BCR_SRC_COMM_DEVICE_COMMUNICATOR_HPP

#include "src/comm/communicator.hpp"

namespace bcr::comm {

/// The same ranks with messages between devices by NCCL or RCCL; those in host memory still go the way of `host`, which
/// must outlive the result. To be called on all ranks when each has chosen its device (after Kokkos is up), and
/// destroyed before the device is given up. Null where this build has neither library, for a single rank, or if the
/// environment says BCR_NCCL=off.
std::unique_ptr<Communicator> make_device_communicator(Communicator& host);

}  // namespace bcr::comm

#endif
