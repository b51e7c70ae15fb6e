#include "src/train/rank_agreement.hpp"

#include "src/core/error.hpp"

#include <fmt/format.h>

#include <sstream>
#include <utility>

namespace bcr::train {
namespace {

std::pair<std::string, std::string> first_difference(const std::string& a, const std::string& b) {
  std::istringstream lines_of_a(a), lines_of_b(b);
  std::string line_of_a, line_of_b;
  do {
    if (!std::getline(lines_of_a, line_of_a)) line_of_a = "nothing more";
    if (!std::getline(lines_of_b, line_of_b)) line_of_b = "nothing more";
  } while (line_of_a == line_of_b && lines_of_a && lines_of_b);
  return {line_of_a, line_of_b};
}

}  // namespace

void require_same_on_all_ranks(comm::Communicator& ranks, const std::string_view what, const std::string& lines) {
  if (ranks.size() == 1) return;
  const auto all = ranks.gather(std::as_bytes(std::span(lines)));
  const auto text_of = [&](const std::size_t rank) {
    return std::string(reinterpret_cast<const char*>(all[rank].data()), all[rank].size());
  };
  for (std::size_t rank = 1; rank < all.size(); ++rank) {
    if (all[rank] == all[0]) continue;
    const auto [first, other] = first_difference(text_of(0), text_of(rank));
    throw IoError(what,
                  fmt::format("the same on every rank, '{}' as on rank 0: all must see the same --out, "
                              "configuration and data",
                              first),
                  fmt::format("'{}' on rank {}", other, rank));
  }
}

void write_on_root(comm::Communicator& ranks, const std::chrono::duration<double> time_limit,
                   const std::function<void()>& write) {
  ranks.set_time_limit(std::chrono::duration<double>(0));
  if (ranks.is_root()) write();
  ranks.barrier();
  ranks.set_time_limit(time_limit);
}

}  // namespace bcr::train
