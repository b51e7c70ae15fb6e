#include "src/comm/communicator.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

namespace bcr::comm {
namespace {

using Clock = std::chrono::steady_clock;

/// A rank that waits keeps a core busy only for as long as messages usually take; then it lets others in, and after
/// a while sleeps between its looks, so that ranks which share cores get on.
constexpr int tries_before_yield = 64;
constexpr std::chrono::milliseconds time_before_sleep{1};
constexpr std::chrono::microseconds nap{50};

}  // namespace

void Communicator::abort(const int exit_code) {
  end_others(exit_code);
  std::_Exit(exit_code);
}

std::chrono::duration<double> Communicator::turn_to_speak() const {
  // Launchers need up to a second or two to end the other ranks.
  return std::chrono::duration<double>(is_root() ? 0.0 : 3.0 + 0.02 * std::min(rank(), 50));
}

void Communicator::wait(Transfer& transfer) {
  for (int tries = 0; tries < tries_before_yield; ++tries)
    if (transfer.done()) return;
  const Clock::time_point start = Clock::now();
  while (!transfer.done()) {
    const Clock::duration waited = Clock::now() - start;
    if (waited < time_before_sleep) {
      std::this_thread::yield();
    } else {
      std::this_thread::sleep_for(nap);
    }
    if (time_limit_.count() > 0 && waited > time_limit_ + turn_to_speak()) {
      const std::vector<int> missing = transfer.missing_ranks();
      if (!missing.empty()) give_up(missing);  // it may have come this very moment
    }
  }
}

void Communicator::give_up(const std::span<const int> missing) {
  fmt::print(stderr,
             "bcr: {} {} of {} {} not answered for {:.0f} s, says rank {}; the job ends. A longer limit is "
             "train.time_limit.\n",
             missing.size() == 1 ? "rank" : "ranks", fmt::join(missing, ", "), size(),
             missing.size() == 1 ? "has" : "have", time_limit_.count(), rank());
  std::fflush(stderr);
  abort(1);
}

void Communicator::barrier() {
  gather({});
}

void Communicator::broadcast(const std::span<std::byte> bytes) {
  if (size() == 1) return;
  // Rank 0 owns everything: its piece is the whole message.
  const std::unique_ptr<Transfer> transfer =
      share({bytes.data(), bytes.size(), std::max<std::size_t>(bytes.size(), 1)}, new_channel());
  wait(*transfer);
}

std::vector<std::vector<std::byte>> Communicator::gather(const std::span<const std::byte> bytes) {
  const auto ranks = static_cast<std::size_t>(size());
  const auto own = static_cast<std::size_t>(rank());
  std::vector<std::uint64_t> lengths(ranks);
  lengths[own] = bytes.size();
  const auto share_all = [this, ranks](std::byte* const data, const std::size_t piece) {
    if (ranks == 1 || piece == 0) return;
    const std::unique_ptr<Transfer> transfer = share({data, ranks * piece, piece}, new_channel());
    wait(*transfer);
  };
  share_all(reinterpret_cast<std::byte*>(lengths.data()), sizeof(std::uint64_t));
  const std::size_t longest = *std::max_element(lengths.begin(), lengths.end());
  std::vector<std::byte> all(ranks * longest);
  if (!bytes.empty()) std::memcpy(all.data() + own * longest, bytes.data(), bytes.size());
  share_all(all.data(), longest);
  std::vector<std::vector<std::byte>> lists(ranks);
  for (std::size_t k = 0; k < ranks; ++k) {
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(k * longest);
    lists[k].assign(first, first + static_cast<std::ptrdiff_t>(lengths[k]));
  }
  return lists;
}

namespace {

struct NoTransfer final : Transfer {
  bool done() override { return true; }
  std::vector<int> missing_ranks() const override { return {}; }
};

}  // namespace

std::unique_ptr<Transfer> SerialCommunicator::exchange(const Pieces&, std::byte*, int) {
  return std::make_unique<NoTransfer>();
}

std::unique_ptr<Transfer> SerialCommunicator::share(const Pieces&, int) {
  return std::make_unique<NoTransfer>();
}

}  // namespace bcr::comm
