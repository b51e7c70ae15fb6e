#include "tests/ptx/block.hpp"

#include <algorithm>
#include <limits>

namespace bcr::test::ptx {
namespace {

constexpr int nowhere = -1;

/// The lanes of a group whose guard lets them act.
Mask guarded_lanes(Warp& warp, const Step& step, const Mask group) {
  if (step.guard < 0) return group;
  const std::uint64_t* const guard = warp.slot(step.guard);
  Mask mask = 0;
  for_each_lane(group, [&](const int lane) {
    if ((guard[lane] != 0) != step.guard_negated) mask |= Mask{1} << lane;
  });
  return mask;
}

void move_lanes(Warp& warp, const Mask mask, const int pc) {
  for_each_lane(mask, [&](const int lane) { warp.pc[std::size_t(lane)] = pc; });
}

}  // namespace

Block::Block(const Program& program, const DeviceMemory& memory, const Extent threads, const Extent grid,
             const std::size_t dynamic_shared, Counter* const counter)
    : program_(program), threads_(threads), grid_(grid), counter_(counter), warps_((threads.size() + lanes - 1) / lanes) {
  shared_.resize(program.shared_size + dynamic_shared + 16);
  for (auto& warp : warps_) {
    warp.registers.resize(std::size_t(program.slots) * lanes);
    for (const auto& [slot, value] : program.constants) std::fill_n(warp.slot(slot), lanes, value);
    warp.local_size = program.local_size;
    warp.local.resize(program.local_size * lanes);
    warp.shared = shared_.data();
    warp.shared_size = program.shared_size + dynamic_shared;
    warp.parameters = program.parameters.data();
    warp.parameters_size = program.parameters.size();
    warp.memory = &memory;
  }
}

void Block::set_special(Warp& warp, const char* const name, const std::uint64_t value) {
  const auto found = program_.specials.find(name);
  if (found != program_.specials.end()) std::fill_n(warp.slot(found->second), lanes, value);
}

void Block::start(Warp& warp, const std::size_t first_thread, const Extent place) {
  const std::size_t count = std::min<std::size_t>(lanes, threads_.size() - first_thread);
  warp.runnable = count == lanes ? all_lanes : (Mask{1} << count) - 1;
  warp.at_barrier = warp.parked = 0;
  warp.instructions = warp.loads = 0;
  warp.pc.fill(program_.entry);
  std::fill(warp.local.begin(), warp.local.end(), std::byte{0xff});
  set_special(warp, "%ntid.x", threads_.x);
  set_special(warp, "%ntid.y", threads_.y);
  set_special(warp, "%ntid.z", threads_.z);
  set_special(warp, "%ctaid.x", place.x);
  set_special(warp, "%ctaid.y", place.y);
  set_special(warp, "%ctaid.z", place.z);
  set_special(warp, "%nctaid.x", grid_.x);
  set_special(warp, "%nctaid.y", grid_.y);
  set_special(warp, "%nctaid.z", grid_.z);
  set_special(warp, "%warpid", first_thread / lanes);
  for (const auto& [name, slot] : program_.specials) {
    for (std::size_t lane = 0; lane < std::size_t(lanes); ++lane) {
      const std::size_t thread = first_thread + lane;
      std::uint64_t& value = warp.slot(slot)[lane];
      const Mask own = Mask{1} << lane;
      if (name == "%tid.x") value = thread % threads_.x;
      if (name == "%tid.y") value = thread / threads_.x % threads_.y;
      if (name == "%tid.z") value = thread / threads_.x / threads_.y;
      if (name == "%laneid") value = lane;
      if (name == "%lanemask_eq") value = own;
      if (name == "%lanemask_lt") value = own - 1;
      if (name == "%lanemask_le") value = own | (own - 1);
      if (name == "%lanemask_gt") value = ~(own | (own - 1));
      if (name == "%lanemask_ge") value = ~(own - 1);
    }
  }
}

void Block::run(const Extent place) {
  std::fill(shared_.begin(), shared_.end(), std::byte{0xff});
  for (std::size_t i = 0; i < warps_.size(); ++i) start(warps_[i], i * lanes, place);
  for (;;) {
    bool any_ran = false;
    for (auto& warp : warps_) any_ran = advance(warp) || any_ran;
    if (std::none_of(warps_.begin(), warps_.end(), [](const Warp& warp) { return warp.alive() != 0; })) break;
    if (!any_ran) throw Error(program_.name + ": lanes wait for others that never come");
    release_barrier();
  }
  if (counter_ != nullptr) counter_->end_block(warps_);
}

void Block::release_barrier() {
  const bool all_there =
      std::all_of(warps_.begin(), warps_.end(), [](const Warp& warp) { return warp.alive() == warp.at_barrier; });
  if (!all_there) return;
  if (counter_ != nullptr) counter_->count_barrier();
  reduce_at_barrier();
  for (auto& warp : warps_) {
    warp.runnable = warp.at_barrier;
    warp.at_barrier = 0;
  }
}

/// bar.red: every thread learns whether any of them (or all) brought a true predicate.
void Block::reduce_at_barrier() {
  const auto waiting =
      std::find_if(warps_.begin(), warps_.end(), [](const Warp& warp) { return warp.at_barrier != 0; });
  const Step* const step = waiting == warps_.end() ? nullptr : waiting->barrier;
  if (step == nullptr || step->count == 0) return;
  bool any = false;
  bool all = true;
  for (auto& warp : warps_) {
    if (warp.at_barrier != 0 && warp.barrier != step)
      throw Error(program_.name + ": threads reduce at different barriers");
    const std::uint64_t* const brought = warp.slot(step->src[0]);
    for_each_lane(warp.at_barrier, [&](const int lane) {
      any = any || brought[lane] != 0;
      all = all && brought[lane] != 0;
    });
  }
  const std::uint64_t result = (step->count == 1 ? any : all) ? 1 : 0;
  for (auto& warp : warps_)
    for_each_lane(warp.at_barrier, [&](const int lane) { warp.slot(step->dst[0])[lane] = result; });
}

bool Block::advance(Warp& warp) {
  const bool any = warp.runnable != 0;
  while (warp.runnable != 0) run_group(warp);
  return any;
}

void Block::run_group(Warp& warp) {
  int pc = std::numeric_limits<int>::max();
  for_each_lane(warp.runnable, [&](const int lane) { pc = std::min(pc, warp.pc[std::size_t(lane)]); });
  Mask group = 0;
  int next_other = std::numeric_limits<int>::max();
  for_each_lane(warp.runnable, [&](const int lane) {
    if (warp.pc[std::size_t(lane)] == pc)
      group |= Mask{1} << lane;
    else
      next_other = std::min(next_other, warp.pc[std::size_t(lane)]);
  });
  while (pc < next_other) {
    const Step& step = program_.steps[std::size_t(pc)];
    const Mask guarded = guarded_lanes(warp, step, group);
    if (counter_ != nullptr) counter_->count(step, warp, guarded);
    if (step.flow == Flow::none) {
      if (guarded != 0) step.run(step, warp, guarded);
      ++pc;
      continue;
    }
    pc = follow(warp, step, pc, group, guarded);
    if (pc == nowhere) return;
  }
  move_lanes(warp, group, pc);
}

int Block::follow(Warp& warp, const Step& step, const int pc, const Mask group, const Mask guarded) {
  switch (step.flow) {
    case Flow::branch:
    case Flow::indexed_branch:
      return branch(warp, step, pc, group, guarded);
    case Flow::end:
      return end_or_return(warp, step, pc, group, guarded);
    case Flow::together:
      return meet(warp, step, pc, group, guarded);
    case Flow::call:
      if (guarded != group) throw Error(program_.name + ": a call with a guard is not known");
      for_each_lane(group, [&](const int lane) { warp.slot(step.return_slot)[lane] = std::uint64_t(pc + 1); });
      return step.target;
    case Flow::barrier:
      if (guarded != group) throw Error(program_.name + ": a barrier with a guard is not known");
      move_lanes(warp, group, pc + 1);
      warp.runnable &= ~group;
      warp.at_barrier |= group;
      warp.barrier = &step;
      return nowhere;
    case Flow::none:
      break;
  }
  return pc + 1;
}

int Block::branch(Warp& warp, const Step& step, const int pc, const Mask group, const Mask taken) {
  if (step.flow == Flow::branch) {
    if (taken == group) return step.target;
    if (taken == 0) return pc + 1;
    move_lanes(warp, group & ~taken, pc + 1);
    move_lanes(warp, taken, step.target);
    return nowhere;
  }
  move_lanes(warp, group & ~taken, pc + 1);
  for_each_lane(taken, [&](const int lane) {
    const std::uint64_t index = warp.slot(step.src[0])[lane] & 0xffffffffu;
    if (index >= step.targets.size()) throw Error(program_.name + ": an indexed branch beyond its list");
    warp.pc[std::size_t(lane)] = step.targets[index];
  });
  return nowhere;
}

int Block::end_or_return(Warp& warp, const Step& step, const int pc, const Mask group, const Mask taken) {
  if (taken == 0) return pc + 1;
  move_lanes(warp, group & ~taken, pc + 1);
  if (step.return_slot < 0) {
    warp.runnable &= ~taken;
    return nowhere;
  }
  const std::uint64_t* const back = warp.slot(step.return_slot);
  for_each_lane(taken, [&](const int lane) { warp.pc[std::size_t(lane)] = static_cast<int>(back[lane]); });
  return nowhere;
}

int Block::meet(Warp& warp, const Step& step, const int pc, const Mask group, const Mask guarded) {
  if (guarded != group) throw Error(program_.name + ": a shuffle or vote with a guard is not known");
  move_lanes(warp, group, pc);
  // Lanes at the same place may name different members: those of the first lane now, the others in their turn.
  const std::uint64_t* const named = warp.slot(step.src[3]);
  const int first = std::countr_zero(group);
  const auto members = static_cast<Mask>(named[first]);
  if ((members >> first & 1u) == 0) throw Error(program_.name + ": a lane meets others and does not name itself");
  Mask here = 0;
  for_each_lane(group | warp.parked, [&](const int lane) {
    if (warp.pc[std::size_t(lane)] == pc && static_cast<Mask>(named[lane]) == members) here |= Mask{1} << lane;
  });
  if ((members & warp.alive() & ~here) != 0) {
    warp.runnable &= ~here;
    warp.parked |= here;
    return nowhere;
  }
  warp.parked &= ~here;
  warp.runnable |= here;
  step.run(step, warp, here);
  move_lanes(warp, here, pc + 1);
  return nowhere;
}

}  // namespace bcr::test::ptx
