#include "tests/ptx/operands.hpp"

#include "tests/ptx/number.hpp"

namespace bcr::test::ptx {

std::string Scopes::declare(const std::string& name) {
  std::string unique = name + "@" + std::to_string(count_++);
  scopes_.back()[name] = unique;
  return unique;
}

const std::string& Scopes::meaning(const std::string& name) const {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    const auto found = scope->find(name);
    if (found != scope->end()) return found->second;
  }
  return name;  // NOLINT(bugprone-return-const-ref-from-parameter): callers keep the operand
}

namespace {

Operand parse_operand(TokenReader& reader, const Scopes& scopes);

Operand parse_list(TokenReader& reader, const Scopes& scopes, const std::string_view end) {
  Operand list{.kind = Operand::Kind::list};
  while (!reader.take_if(end)) {
    list.items.push_back(parse_operand(reader, scopes));
    reader.take_if(",");
  }
  return list;
}

/// A signed number, as bits.
std::uint64_t parse_number(TokenReader& reader) {
  const bool minus = reader.take_if("-");
  const auto bits = number_bits(reader.peek());
  if (!bits) reader.fail("expected a number");
  reader.take();
  return minus ? std::uint64_t{0} - *bits : *bits;
}

/// %rd1, %rd1+8, %rd1+-8, name, name+8, 16
Operand parse_place(TokenReader& reader, const Scopes& scopes) {
  Operand place{.kind = Operand::Kind::name};
  if (reader.next_is("-") || number_bits(reader.peek())) {
    place.kind = Operand::Kind::number;
    place.number = parse_number(reader);
    return place;
  }
  place.name = scopes.meaning(reader.take().text);
  if (reader.take_if("+")) place.number = parse_number(reader);
  return place;
}

Operand parse_operand(TokenReader& reader, const Scopes& scopes) {
  if (reader.take_if("{")) return parse_list(reader, scopes, "}");
  if (reader.take_if("(")) return parse_list(reader, scopes, ")");
  if (reader.take_if("[")) {
    Operand address = parse_place(reader, scopes);
    if (address.kind == Operand::Kind::number) address.name.clear();
    address.kind = Operand::Kind::address;
    reader.expect("]");
    return address;
  }
  const bool negated = reader.take_if("!");
  Operand operand = parse_place(reader, scopes);
  operand.negated = negated;
  if (!reader.take_if("|")) return operand;
  return {.kind = Operand::Kind::list, .items = {operand, parse_place(reader, scopes)}};
}

}  // namespace

std::vector<Operand> parse_operands(TokenReader& reader, const Scopes& scopes) {
  std::vector<Operand> operands;
  while (!reader.take_if(";")) {
    operands.push_back(parse_operand(reader, scopes));
    if (!reader.next_is(";")) reader.expect(",");
  }
  return operands;
}

}  // namespace bcr::test::ptx
