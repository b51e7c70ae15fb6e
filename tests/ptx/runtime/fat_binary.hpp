#ifndef BCR_TESTS_PTX_RUNTIME_FAT_BINARY_HPP
#define BCR_TESTS_PTX_RUNTIME_FAT_BINARY_HPP

#include <string_view>

namespace bcr::test::ptx {

/// The PTX that nvcc put into an object, from what the object announces (__fatBinC_Wrapper_t, fatbinary_section.h of the
/// toolkit). Empty if there is none for the device; throws Error if it is compressed: nvcc --no-compress leaves it as it
/// is.
std::string_view ptx_of(const void* announced);

}  // namespace bcr::test::ptx

#endif
