#ifndef BCR_TESTS_PTX_RUNTIME_LOADED_PROGRAM_HPP
#define BCR_TESTS_PTX_RUNTIME_LOADED_PROGRAM_HPP

#include "tests/ptx/device.hpp"

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace bcr::test::ptx {

/// The device side of a program that nvcc compiled: which of its host symbols stand for which kernels and variables,
/// and the PTX of its translation units, from the files in the directory BCR_PTX_DIR (scripts/device_ptx.py).
class LoadedProgram {
 public:
  static LoadedProgram& instance();

  /// What the code that nvcc puts into every object announces before main.
  struct Unit {
    std::map<const void*, std::string> kernels;
    std::map<const void*, std::string> variables;
    std::unique_ptr<LoadedModule> module;
  };
  Unit* add_unit();
  void add_kernel(Unit* unit, const void* stub, const char* name);
  void add_variable(Unit* unit, const void* shadow, const char* name);

  Program& kernel(const void* stub);
  void* variable(const void* shadow);

  DeviceMemory memory;

 private:
  struct File {
    std::string text;
    std::vector<std::string> kernels;
  };

  LoadedModule& module_of(Unit& unit);
  void read_files();

  std::vector<std::unique_ptr<Unit>> units_;
  std::map<const void*, Unit*> unit_of_kernel_;
  std::map<const void*, Unit*> unit_of_variable_;
  std::vector<File> files_;
  std::map<std::string, std::unique_ptr<LoadedModule>> kokkos_modules_;
};

}  // namespace bcr::test::ptx

#endif
