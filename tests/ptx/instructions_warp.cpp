#include "tests/ptx/lanewise.hpp"

#include <algorithm>

namespace bcr::test::ptx {
namespace {

/// The members that meet at a shuffle or vote: src[3], and the scheduler waits for them (Flow::together).
void take_members(Decoding& decoding, const Operand& operand) {
  if (!decoding.take("sync")) decoding.fail("only the .sync form is known");
  decoding.step.src[3] = decoding.slot(operand);
  decoding.step.flow = Flow::together;
}

enum class Shuffle { up, down, bfly, idx };

/// shfl.sync d|p, a, b, c, members: the source lane as the PTX ISA defines it from b, the clamp and the segment mask c.
template <Shuffle kind>
void run_shuffle(const Step& step, Warp& warp, const Mask mask) {
  std::array<std::uint64_t, lanes> before;
  std::copy_n(warp.slot(step.src[0]), lanes, before.begin());
  for_each_lane(mask, [&](const int lane) {
    const auto amount = int(warp.slot(step.src[1])[lane] & 31u);
    const std::uint64_t clamp = warp.slot(step.src[2])[lane];
    const auto segment = int(clamp >> 8 & 31u);
    const int last = (lane & segment) | (int(clamp & 31u) & ~segment);
    int from = 0;
    if (kind == Shuffle::up) from = lane - amount;
    if (kind == Shuffle::down) from = lane + amount;
    if (kind == Shuffle::bfly) from = lane ^ amount;
    if (kind == Shuffle::idx) from = (lane & segment) | (amount & ~segment);
    const bool inside = kind == Shuffle::up ? from >= last : from <= last;
    const int source = inside ? from : lane;
    if ((mask >> source & 1u) == 0) throw Error("shfl.sync reads a lane that does not take part");
    warp.slot(step.dst[0])[lane] = before[std::size_t(source)];
    if (step.dst[1] >= 0) warp.slot(step.dst[1])[lane] = inside ? 1 : 0;
  });
}

void decode_shfl(Decoding& decoding) {
  constexpr Step::Run runs[] = {run_shuffle<Shuffle::up>, run_shuffle<Shuffle::down>, run_shuffle<Shuffle::bfly>,
                                run_shuffle<Shuffle::idx>};
  decoding.require_operands(5);
  const auto& operands = decoding.operands();
  const int kind = decoding.take_one_of({"up", "down", "bfly", "idx"});
  if (kind < 0 || size_of(decoding.take_type()) != 4) decoding.fail("unknown form");
  Step& step = decoding.step;
  const bool is_pair = operands[0].kind == Operand::Kind::list;
  step.dst[0] = decoding.slot(is_pair ? operands[0].items[0] : operands[0]);
  step.dst[1] = is_pair ? decoding.slot(operands[0].items[1]) : -1;
  for (std::size_t i = 0; i < 3; ++i) step.src[i] = decoding.slot(operands[i + 1]);
  take_members(decoding, operands[4]);
  step.run = runs[kind];
}

enum class Vote { all, any, uni, ballot };

template <Vote kind>
void run_vote(const Step& step, Warp& warp, const Mask mask) {
  Mask ballot = 0;
  for_each_lane(mask, [&](const int lane) {
    if ((warp.slot(step.src[0])[lane] != 0) != step.src_negated) ballot |= Mask{1} << lane;
  });
  std::uint64_t result = ballot;
  if (kind == Vote::all) result = ballot == mask ? 1 : 0;
  if (kind == Vote::any) result = ballot != 0 ? 1 : 0;
  if (kind == Vote::uni) result = ballot == mask || ballot == 0 ? 1 : 0;
  for_each_lane(mask, [&](const int lane) { warp.slot(step.dst[0])[lane] = result; });
}

void decode_vote(Decoding& decoding) {
  constexpr Step::Run runs[] = {run_vote<Vote::all>, run_vote<Vote::any>, run_vote<Vote::uni>, run_vote<Vote::ballot>};
  decoding.require_operands(3);
  const int kind = decoding.take_one_of({"all", "any", "uni", "ballot"});
  if (kind < 0) decoding.fail("unknown form");
  decoding.take_type();
  Step& step = decoding.step;
  step.dst[0] = decoding.slot(decoding.operands()[0]);
  step.src[0] = decoding.slot(decoding.operands()[1]);
  step.src_negated = decoding.operands()[1].negated;
  take_members(decoding, decoding.operands()[2]);
  step.run = runs[kind];
}

void decode_activemask(Decoding& decoding) {
  decoding.take_type();
  decoding.require_operands(1);
  decoding.step.dst[0] = decoding.slot(decoding.operands()[0]);
  decoding.step.run = [](const Step& step, Warp& warp, const Mask mask) {
    for_each_lane(mask, [&](const int lane) { warp.slot(step.dst[0])[lane] = mask; });
  };
}

}  // namespace

void add_warp_instructions(DecoderTable& table) {
  table["shfl"] = decode_shfl;
  table["vote"] = decode_vote;
  table["activemask"] = decode_activemask;
}

}  // namespace bcr::test::ptx
