#include "tests/ptx/module.hpp"
#include "tests/ptx/operands.hpp"
#include "tests/ptx/tokens.hpp"
#include "tests/ptx/variables.hpp"

namespace bcr::test::ptx {
namespace {

std::vector<Variable> parse_parameters(TokenReader& reader, Scopes& scopes) {
  std::vector<Variable> parameters;
  reader.expect("(");
  while (!reader.take_if(")")) {
    reader.expect(".param");
    parameters.push_back(parse_variable(reader, Space::param));
    parameters.back().name = scopes.declare(parameters.back().name);
    reader.take_if(",");
  }
  return parameters;
}

/// .reg .b32 %r<12>, %x;
void parse_registers(TokenReader& reader, Scopes& scopes, Function& function) {
  reader.take();  // the type: a register here is as wide as the widest
  do {
    const std::string name = reader.take().text;
    if (!reader.take_if("<")) {
      function.registers.push_back(scopes.declare(name));
      continue;
    }
    const int count = std::stoi(reader.take().text);
    reader.expect(">");
    for (int i = 0; i < count; ++i) function.registers.push_back(scopes.declare(name + std::to_string(i)));
  } while (reader.take_if(","));
  reader.expect(";");
}

void parse_instruction(TokenReader& reader, const Scopes& scopes, Function& function) {
  Statement statement;
  if (reader.take_if("@")) {
    statement.guard_negated = reader.take_if("!");
    statement.guard = scopes.meaning(reader.take().text);
  }
  const Token opcode = reader.take();
  statement.opcode = opcode.text;
  statement.line = opcode.line;
  statement.operands = parse_operands(reader, scopes);
  function.statements.push_back(std::move(statement));
}

/// A label, and the list of targets that may be what it names.
void parse_label(TokenReader& reader, Function& function) {
  const std::string label = reader.take().text;
  reader.expect(":");
  if (!reader.take_if(".branchtargets")) {
    function.labels[label] = static_cast<int>(function.statements.size());
    return;
  }
  auto& targets = function.branch_targets[label];
  while (!reader.take_if(";")) {
    targets.push_back(reader.take().text);
    reader.take_if(",");
  }
}

void parse_declaration(TokenReader& reader, Scopes& scopes, const std::string& directive, Function& function) {
  if (directive == ".pragma") return reader.skip_statement();
  if (directive == ".reg") return parse_registers(reader, scopes, function);
  const auto space = space_of(directive);
  if (!space) reader.fail("unknown directive '" + directive + "' before");
  do {
    function.variables.push_back(parse_variable(reader, *space));
    function.variables.back().name = scopes.declare(function.variables.back().name);
  } while (reader.take_if(","));
  reader.expect(";");
}

void parse_body(TokenReader& reader, Scopes& scopes, Function& function) {
  int depth = 1;
  while (depth > 0) {
    if (reader.take_if("{")) {
      scopes.open();
      ++depth;
    } else if (reader.take_if("}")) {
      scopes.close();
      --depth;
    } else if (reader.next_is("@")) {
      parse_instruction(reader, scopes, function);
    } else if (reader.peek().front() == '.') {
      const std::string directive = reader.take().text;
      parse_declaration(reader, scopes, directive, function);
    } else if (reader.after_next_is(":")) {
      parse_label(reader, function);
    } else {
      parse_instruction(reader, scopes, function);
    }
  }
}

void parse_function(TokenReader& reader, const bool is_entry, Module& module) {
  Function function{.is_entry = is_entry};
  Scopes scopes;
  scopes.open();
  if (reader.next_is("(")) function.results = parse_parameters(reader, scopes);
  function.name = reader.take().text;
  if (reader.next_is("(")) function.parameters = parse_parameters(reader, scopes);
  while (!reader.next_is("{") && !reader.next_is(";")) reader.take();  // .maxntid and its like
  if (reader.take_if(";")) return;
  reader.expect("{");
  parse_body(reader, scopes, function);
  module.functions[function.name] = std::move(function);
}

}  // namespace

Module parse_module(const std::string_view text) {
  TokenReader reader(tokens_of(text));
  Module module;
  bool is_external = false;
  while (!reader.at_end()) {
    const std::string directive = reader.take().text;
    if (directive == ".version" || directive == ".address_size") {
      reader.take();
    } else if (directive == ".target") {
      do reader.take();
      while (reader.take_if(","));
    } else if (directive == ".extern") {
      is_external = true;
    } else if (directive == ".entry" || directive == ".func") {
      parse_function(reader, directive == ".entry", module);
      is_external = false;
    } else if (const auto space = space_of(directive)) {
      module.variables.push_back(parse_variable(reader, *space));
      module.variables.back().is_external = is_external;
      is_external = false;
      reader.expect(";");
    } else if (directive == ".pragma") {
      reader.skip_statement();
    } else if (directive != ".visible" && directive != ".weak" && directive != ".common") {
      reader.fail("unknown directive '" + directive + "' before");
    }
  }
  return module;
}

}  // namespace bcr::test::ptx
