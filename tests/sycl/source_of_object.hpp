#ifndef BCR_TESTS_SYCL_SOURCE_OF_OBJECT_HPP
#define BCR_TESTS_SYCL_SOURCE_OF_OBJECT_HPP

// Included by force after ship_kernels.hpp, which cannot know it: it is precompiled for all sources.
namespace {
[[maybe_unused]] const char* const bcr_source_of_this_object = __BASE_FILE__;
}

#endif
