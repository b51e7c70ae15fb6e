# Run at every build (cmake -P): writes OUTPUT, a header with the commit and state of SOURCE_DIR, and touches it only
# if they changed. In an archive made by `git archive`, the commit comes from cmake/git_archival.txt; elsewhere without
# git both are "unknown". Untracked files do not make a tree dirty: a source that is built is named in a tracked file.
set(hash "unknown")
set(state "unknown")

find_program(GIT_PROGRAM git)
if(GIT_PROGRAM AND EXISTS ${SOURCE_DIR}/.git)
  execute_process(COMMAND ${GIT_PROGRAM} -C ${SOURCE_DIR} rev-parse --verify HEAD
    OUTPUT_VARIABLE head RESULT_VARIABLE failed ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT failed)
    set(hash ${head})
    execute_process(COMMAND ${GIT_PROGRAM} -C ${SOURCE_DIR} --no-optional-locks status --porcelain --untracked-files=no
      OUTPUT_VARIABLE changes RESULT_VARIABLE failed ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(NOT failed AND changes STREQUAL "")
      set(state "clean")
    elseif(NOT failed)
      set(state "dirty")
    endif()
  endif()
elseif(EXISTS ${SOURCE_DIR}/cmake/git_archival.txt)
  file(STRINGS ${SOURCE_DIR}/cmake/git_archival.txt archived LIMIT_COUNT 1)
  if(archived MATCHES "^[0-9a-f]+$")
    set(hash ${archived})
    set(state "clean")
  endif()
endif()

file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[
#ifndef BCR_SRC_CORE_GIT_VERSION_HPP
#define BCR_SRC_CORE_GIT_VERSION_HPP

// Generated at every build by cmake/git_version.cmake.
namespace bcr::generated {
inline constexpr const char* git_hash = "@hash@";
inline constexpr const char* git_state = "@state@";
}  // namespace bcr::generated

#endif
]])
