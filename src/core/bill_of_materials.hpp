#ifndef BCR_SRC_CORE_BILL_OF_MATERIALS_HPP
#define BCR_SRC_CORE_BILL_OF_MATERIALS_HPP

#include "src/core/build_info.hpp"

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bcr {

/// A shared library as it lies on the disk.
struct SharedLibrary {
  std::string name;     ///< "libhdf5_serial.so"
  std::string version;  ///< "103.3.0", what the name of the file says; may be empty
  std::filesystem::path path;
};

/// Name and version of a file "libhdf5_serial.so.103.3.0".
SharedLibrary shared_library(const std::filesystem::path& path);

/// The shared libraries that this process has loaded, by path; none where there is no way to ask (other than Linux).
std::vector<SharedLibrary> loaded_libraries();

/// CycloneDX 1.5 as JSON: the program, the libraries that were compiled in with their versions, and every shared library
/// that this process has loaded, with the SHA-256 of its file. What a library loads itself later (oneMKL its kernels of
/// an instruction set, MPI its transports) is not in it.
std::string bill_of_materials(std::string_view program, std::span<const LibraryVersion> compiled_in);

}  // namespace bcr

#endif
