#include "tests/ptx/runtime/loaded_program.hpp"

#include "tests/ptx/runtime/fat_binary.hpp"
#include "tests/ptx/runtime/kokkos_kernels.hpp"

#include <algorithm>
#include <iterator>

namespace bcr::test::ptx {
LoadedProgram& LoadedProgram::instance() {
  static LoadedProgram program;  // objects announce their kernels before main, in any order
  return program;
}

LoadedProgram::Unit* LoadedProgram::add_unit(const void* const device_code) {
  units_.push_back(std::make_unique<Unit>());
  units_.back()->device_code = device_code;
  return units_.back().get();
}

void LoadedProgram::add_kernel(Unit* const unit, const void* const stub, const char* const name) {
  unit->kernels[stub] = name;
  unit_of_kernel_[stub] = unit;
}

void LoadedProgram::add_variable(Unit* const unit, const void* const shadow, const char* const name) {
  unit->variables[shadow] = name;
  unit_of_variable_[shadow] = unit;
}

Program& LoadedProgram::kernel(const void* const stub) {
  Unit& unit = unit_of(stub);
  const std::string& name = unit.kernels.at(stub);
  for (const auto& own : kokkos_kernels) {
    if (name.find(own.part_of_name) == std::string::npos) continue;
    auto& module = kokkos_modules_[std::string(own.name)];
    if (!module) module = std::make_unique<LoadedModule>(own.text, memory);
    return module->kernel(std::string(own.name));
  }
  return module_of(unit).kernel(name);
}

void* LoadedProgram::variable(const void* const shadow) {
  const auto found = unit_of_variable_.find(shadow);
  if (found == unit_of_variable_.end()) throw Error("a variable that no object announced");
  // An object without kernels has nobody who could read the variable; nor have those of Kokkos above.
  const auto& kernels = found->second->kernels;
  const auto is_kokkos_own = [](const auto& kernel) {
    return std::any_of(std::begin(kokkos_kernels), std::end(kokkos_kernels), [&](const KokkosKernel& own) {
      return kernel.second.find(own.part_of_name) != std::string::npos;
    });
  };
  if (std::all_of(kernels.begin(), kernels.end(), is_kokkos_own)) return nullptr;
  return module_of(*found->second).variable(found->second->variables.at(shadow));
}

std::string_view LoadedProgram::text_around(const void* const stub) const {
  return ptx_of(unit_of(stub).device_code);
}

LoadedProgram::Unit& LoadedProgram::unit_of(const void* const stub) const {
  const auto found = unit_of_kernel_.find(stub);
  if (found == unit_of_kernel_.end()) throw Error("a launch of a kernel that no object announced");
  return *found->second;
}

LoadedModule& LoadedProgram::module_of(Unit& unit) {
  if (!unit.module) unit.module = std::make_unique<LoadedModule>(ptx_of(unit.device_code), memory);
  return *unit.module;
}

}  // namespace bcr::test::ptx
