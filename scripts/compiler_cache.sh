# shellcheck shell=bash
# Sourced in the top folder by what is about to compile: lets ccache serve the compiler, where there is one.
# CMAKE_CXX_COMPILER_LAUNCHER= in the environment keeps a new build tree from it.
if command -v ccache >/dev/null 2>&1; then
  export CMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER-ccache}
  export CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS-pch_defines,time_macros}  # or it passes by what uses precompiled headers
  # What one checkout compiled serves another (but for debug builds, in which the folder is written down) ...
  export CCACHE_BASEDIR=${CCACHE_BASEDIR-$PWD}
  # ... on the same kind of processor: ccache takes -march=native by the letter.
  native=$({ c++ -march=native -Q --help=target 2>/dev/null || true; } | sha256sum | cut -c1-12)
  export CCACHE_NAMESPACE=${CCACHE_NAMESPACE-bcr-$native}
  unset native
fi
