#include "tests/ptx/runtime/loaded_program.hpp"

#include "tests/ptx/runtime/kokkos_kernels.hpp"
#include "tests/ptx/unit_names.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace bcr::test::ptx {
namespace {

std::vector<std::string> entries_of(const std::string& text) {
  std::vector<std::string> names;
  constexpr std::string_view mark = ".entry ";
  for (std::size_t i = text.find(mark); i != std::string::npos; i = text.find(mark, i + 1)) {
    const std::size_t begin = i + mark.size();
    names.push_back(text.substr(begin, text.find('(', begin) - begin));
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

LoadedProgram& LoadedProgram::instance() {
  static LoadedProgram program;  // objects announce their kernels before main, in any order
  return program;
}

LoadedProgram::Unit* LoadedProgram::add_unit() {
  return units_.emplace_back(std::make_unique<Unit>()).get();
}

void LoadedProgram::add_kernel(Unit* const unit, const void* const stub, const char* const name) {
  unit->kernels[stub] = without_process_numbers(name);
  unit_of_kernel_[stub] = unit;
}

void LoadedProgram::add_variable(Unit* const unit, const void* const shadow, const char* const name) {
  unit->variables[shadow] = without_process_numbers(name);
  unit_of_variable_[shadow] = unit;
}

Program& LoadedProgram::kernel(const void* const stub) {
  const auto found = unit_of_kernel_.find(stub);
  if (found == unit_of_kernel_.end()) throw Error("a launch of a kernel that no object announced");
  const std::string& name = found->second->kernels.at(stub);
  for (const auto& own : kokkos_kernels) {
    if (name.find(own.part_of_name) == std::string::npos) continue;
    auto& module = kokkos_modules_[std::string(own.name)];
    if (!module) module = std::make_unique<LoadedModule>(own.text, memory);
    return module->kernel(std::string(own.name));
  }
  return module_of(*found->second).kernel(name);
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

void LoadedProgram::read_files() {
  const char* const directory = std::getenv("BCR_PTX_DIR");
  if (directory == nullptr) throw Error("set BCR_PTX_DIR to the directory with the PTX of this program");
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    if (entry.path().extension() != ".ptx") continue;
    std::ifstream stream(entry.path(), std::ios::binary);
    std::string text = without_process_numbers(std::string{std::istreambuf_iterator<char>(stream), {}});
    auto kernels = entries_of(text);
    files_.push_back({std::move(text), std::move(kernels)});
  }
}

/// A unit's PTX is the file with exactly its kernels. Two units with the same kernels have the same text.
LoadedModule& LoadedProgram::module_of(Unit& unit) {
  if (unit.module) return *unit.module;
  if (files_.empty()) read_files();
  std::vector<std::string> wanted;
  for (const auto& [stub, name] : unit.kernels) wanted.push_back(name);
  std::sort(wanted.begin(), wanted.end());
  const auto has_all = [&](const File& file) {
    return std::includes(file.kernels.begin(), file.kernels.end(), wanted.begin(), wanted.end());
  };
  const auto found = std::find_if(files_.begin(), files_.end(), has_all);
  if (found == files_.end()) throw Error("no PTX file holds the kernels of a unit, such as " + wanted.front());
  unit.module = std::make_unique<LoadedModule>(found->text, memory);
  return *unit.module;
}

}  // namespace bcr::test::ptx
