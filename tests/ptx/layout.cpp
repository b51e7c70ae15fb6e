#include "tests/ptx/layout.hpp"

#include <algorithm>
#include <set>

namespace bcr::test::ptx {
namespace {

/// The function a statement calls, or nothing.
std::string callee_of(const Statement& statement) {
  if (!statement.opcode.starts_with("call")) return {};
  for (const auto& operand : statement.operands)
    if (operand.kind == Operand::Kind::name) return operand.name;
  return {};
}

void visit(const Module& module, const std::string& name, std::set<std::string>& open,
           std::vector<const Function*>& order) {
  const auto found = module.functions.find(name);
  if (found == module.functions.end()) return;
  const Function* const function = &found->second;
  if (std::find(order.begin(), order.end(), function) != order.end()) return;
  if (!open.insert(name).second) throw Error("PTX: the function " + name + " calls itself");
  for (const auto& statement : function->statements) visit(module, callee_of(statement), open, order);
  open.erase(name);
  order.push_back(function);
}

std::size_t aligned(const std::size_t size, const std::size_t alignment) {
  return (size + alignment - 1) / alignment * alignment;
}

std::size_t append(std::size_t& total, const Variable& variable) {
  const std::size_t begin = aligned(total, variable.alignment);
  total = begin + variable.size;
  return begin;
}

void collect_names(const std::vector<Operand>& operands, std::set<std::string>& names) {
  for (const auto& operand : operands) {
    names.insert(operand.name);
    collect_names(operand.items, names);
  }
}

/// Variables of the module that these functions name.
Places place_module_variables(const Module& module, const std::vector<const Function*>& functions,
                              const GlobalAddresses& globals, Program& program) {
  std::set<std::string> used;
  for (const auto* function : functions)
    for (const auto& statement : function->statements) collect_names(statement.operands, used);
  Places places;
  for (const auto& variable : module.variables) {
    if (!used.contains(variable.name)) continue;
    if (variable.space == Space::shared) {
      if (variable.size == 0) continue;  // the dynamic part comes last
      places[variable.name] = {Space::shared, append(program.shared_size, variable), variable.size};
      continue;
    }
    const auto address = globals.find(variable.name);
    if (address == globals.end()) throw Error("PTX: the variable " + variable.name + " has no place on the device");
    places[variable.name] = {variable.space, address->second, variable.size};
  }
  return places;
}

void place_kernel_parameters(const Function& kernel, Program& program, Places& places) {
  std::size_t total = 0;
  for (const auto& parameter : kernel.parameters) {
    program.parameter_offsets.push_back(append(total, parameter));
    program.parameter_sizes.push_back(parameter.size);
  }
  program.parameters.resize(std::max<std::size_t>(total, 1));
  const auto base = reinterpret_cast<std::uint64_t>(program.parameters.data());
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i)
    places[kernel.parameters[i].name] = {Space::param, base + program.parameter_offsets[i], kernel.parameters[i].size};
}

void place_function_variables(const Function& function, Program& program, Places& places) {
  const auto in_lane = [&](const Variable& variable) {
    places[variable.name] = {Space::local, append(program.local_size, variable), variable.size};
  };
  if (function.is_entry) {
    place_kernel_parameters(function, program, places);
  } else {
    for (const auto& parameter : function.parameters) in_lane(parameter);
  }
  for (const auto& result : function.results) in_lane(result);
  for (const auto& variable : function.variables) {
    if (variable.space == Space::shared)
      places[variable.name] = {Space::shared, append(program.shared_size, variable), variable.size};
    else
      in_lane(variable);
  }
}

}  // namespace

std::vector<const Function*> reachable_functions(const Module& module, const std::string& kernel) {
  if (!module.functions.contains(kernel)) throw Error("PTX: no kernel " + kernel);
  std::set<std::string> open;
  std::vector<const Function*> order;
  visit(module, kernel, open, order);
  return order;
}

std::vector<Places> lay_out(const Module& module, const std::vector<const Function*>& functions,
                            const GlobalAddresses& globals, Program& program) {
  const Places common = place_module_variables(module, functions, globals, program);
  std::vector<Places> places(functions.size(), common);
  for (std::size_t i = 0; i < functions.size(); ++i) place_function_variables(*functions[i], program, places[i]);
  program.local_size = aligned(program.local_size, 16);
  program.shared_size = aligned(program.shared_size, 16);
  for (const auto& variable : module.variables) {
    if (variable.space != Space::shared || variable.size != 0) continue;
    for (auto& own : places) own[variable.name] = {Space::shared, program.shared_size, 0};
  }
  return places;
}

}  // namespace bcr::test::ptx
