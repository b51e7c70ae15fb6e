#ifndef BCR_TESTS_PTX_RUNTIME_LOADED_PROGRAM_HPP
#define BCR_TESTS_PTX_RUNTIME_LOADED_PROGRAM_HPP

#include "tests/ptx/device.hpp"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace bcr::test::ptx {

/// The device side of a program that nvcc compiled: which of its host symbols stand for which kernels and variables,
/// and the PTX that its objects carry.
class LoadedProgram {
 public:
  static LoadedProgram& instance();

  /// What the code that nvcc puts into every object announces before main.
  struct Unit {
    const void* device_code;
    std::map<const void*, std::string> kernels;
    std::map<const void*, std::string> variables;
    std::unique_ptr<LoadedModule> module;
  };
  Unit* add_unit(const void* device_code);
  void add_kernel(Unit* unit, const void* stub, const char* name);
  void add_variable(Unit* unit, const void* shadow, const char* name);

  Program& kernel(const void* stub);
  void* variable(const void* shadow);
  /// The PTX around a kernel, whose address tells one object from another.
  std::string_view text_around(const void* stub) const;

  DeviceMemory memory;

 private:
  LoadedModule& module_of(Unit& unit);
  Unit& unit_of(const void* stub) const;

  std::vector<std::unique_ptr<Unit>> units_;
  std::map<const void*, Unit*> unit_of_kernel_;
  std::map<const void*, Unit*> unit_of_variable_;
  std::map<std::string, std::unique_ptr<LoadedModule>> kokkos_modules_;
};

}  // namespace bcr::test::ptx

#endif
