#ifndef BCR_BENCH_SUPPORT_PROGRAM_HPP
#define BCR_BENCH_SUPPORT_PROGRAM_HPP

#include "src/core/instances.hpp"

#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

namespace bcr::bench {

/// What all programs of benchmarks do alike. Beside the options of Google Benchmark and of Kokkos they know
///   --space NAME   the execution space, one of the build's (Serial, OpenMP, Cuda, ...); default: Kokkos' default one,
///                  a device where there is one
///   --csv FILE     all counters as a flat table as well: program,version,device,space,concurrency,benchmark,metric,value
class Program {
 public:
  /// Takes its own options out of the command line.
  Program(int& argc, char** argv);

  bool chose(const std::string& space) const { return space == space_; }
  /// Runs what was registered for the space. The exit code.
  int run(int argc, char** argv, int concurrency) const;
  /// A usage error: the space is none of the build's.
  int refuse(const std::vector<std::string>& spaces) const;

 private:
  std::string name_;
  std::string space_;
  std::filesystem::path csv_;
};

/// main: declare(exec) registers the benchmarks for the type of exec.
template <class Declare>
int run(int argc, char** argv, const Declare& declare) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const Program program(argc, argv);
  std::vector<std::string> spaces;
#define BCR_INSTANCE(Space)                                        \
  if (program.chose(Space::name())) {                              \
    declare(Space());                                              \
    return program.run(argc, argv, Space().concurrency());         \
  }                                                                \
  spaces.push_back(Space::name());
  BCR_FOR_EACH_EXEC(BCR_INSTANCE)
#undef BCR_INSTANCE
  return program.refuse(spaces);
}

}  // namespace bcr::bench

#endif
