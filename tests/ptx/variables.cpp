#include "tests/ptx/variables.hpp"

#include "tests/ptx/number.hpp"

#include <cstring>

namespace bcr::test::ptx {

std::optional<Space> space_of(const std::string_view directive) {
  if (directive == ".global") return Space::global;
  if (directive == ".const") return Space::constant;
  if (directive == ".shared") return Space::shared;
  if (directive == ".local") return Space::local;
  if (directive == ".param") return Space::param;
  return std::nullopt;
}

namespace {

std::uint64_t parse_count(TokenReader& reader) {
  const auto count = number_bits(reader.peek());
  if (!count) reader.fail("expected a number");
  reader.take();
  return *count;
}

void append_value(TokenReader& reader, const std::size_t size, std::vector<std::byte>& bytes) {
  const bool minus = reader.take_if("-");
  const std::uint64_t magnitude = parse_count(reader);
  const std::uint64_t value = minus ? std::uint64_t{0} - magnitude : magnitude;
  bytes.resize(bytes.size() + size);
  std::memcpy(bytes.data() + bytes.size() - size, &value, size);
}

void parse_initial(TokenReader& reader, const std::size_t element, Variable& variable) {
  if (!reader.take_if("{")) return append_value(reader, element, variable.initial);
  while (!reader.take_if("}")) {
    append_value(reader, element, variable.initial);
    reader.take_if(",");
  }
}

}  // namespace

Variable parse_variable(TokenReader& reader, const Space space) {
  Variable variable{.space = space};
  std::size_t element = 0;
  std::size_t count = 1;
  while (reader.peek().front() == '.') {
    const std::string directive = reader.take().text;
    if (directive == ".align") {
      variable.alignment = parse_count(reader);
    } else if (directive == ".v2" || directive == ".v4") {
      count = directive == ".v2" ? 2 : 4;
    } else if (const auto type = scalar_type(directive.substr(1))) {
      element = size_of(*type);
    } else if (directive != ".ptr" && !space_of(directive)) {
      reader.fail("unknown directive '" + directive + "' before");
    }
  }
  if (element == 0) reader.fail("expected the type of a variable before");
  variable.name = reader.take().text;
  while (reader.take_if("[")) {
    count *= reader.next_is("]") ? 0 : parse_count(reader);
    reader.expect("]");
  }
  variable.size = element * count;
  variable.alignment = std::max(variable.alignment, element);
  if (reader.take_if("=")) parse_initial(reader, element, variable);
  return variable;
}

}  // namespace bcr::test::ptx
