# Everything is found, nothing is downloaded: from scripts/bootstrap's prefix, Spack, modules or the system alike.
set(CMAKE_CXX_EXTENSIONS OFF)
find_package(Kokkos 4.7 REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(tomlplusplus REQUIRED)
find_package(CLI11 REQUIRED)
find_package(Boost 1.74 REQUIRED)
if(BCR_ENABLE_TESTS)
  find_package(GTest REQUIRED)
endif()
if(BCR_ENABLE_BENCH)
  find_package(benchmark REQUIRED)
  # A peer to measure against, where there is one; nothing of bcr links it yet.
  set(MKL_INTERFACE lp64)
  set(MKL_THREADING sequential)
  find_package(MKL CONFIG QUIET)
endif()

# What src/core links: the libraries, or the same as headers.
if(BCR_HEADER_ONLY_LIBRARIES)
  set(BCR_FMT fmt::fmt-header-only)
  set(BCR_SPDLOG spdlog::spdlog_header_only)
else()
  set(BCR_FMT fmt::fmt)
  set(BCR_SPDLOG spdlog::spdlog)
endif()

# What the room io reads and writes.
if(BCR_ENABLE_IO)
  enable_language(C)  # FindHDF5 asks the C compiler
  find_package(HDF5 1.10 REQUIRED COMPONENTS C)
  find_package(ZLIB REQUIRED)
  find_package(PNG REQUIRED)
  find_package(JPEG REQUIRED)
endif()
