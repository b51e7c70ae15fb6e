#ifndef BCR_SRC_IDENTITY_DIGEST_HPP
#define BCR_SRC_IDENTITY_DIGEST_HPP

#include "src/core/sha256.hpp"

#include <Kokkos_Core.hpp>

#include <string>

namespace bcr::identity {

/// The SHA-256 of device Views, copied to the host one after the other.
template <class Exec, class... Views>
std::string digest_of(const Exec& exec, const Views&... views) {
  exec.fence();
  Sha256 hash;
  (hash_view(hash, Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), views)), ...);
  return to_hex(hash.digest());
}

}  // namespace bcr::identity

#endif
