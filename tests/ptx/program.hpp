#ifndef BCR_TESTS_PTX_PROGRAM_HPP
#define BCR_TESTS_PTX_PROGRAM_HPP

#include "tests/ptx/module.hpp"
#include "tests/ptx/warp.hpp"

#include <array>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace bcr::test::ptx {

/// What an instruction does to the flow of its lanes. `none` is one that only computes.
enum class Flow { none, branch, indexed_branch, call, end, barrier, together };

/// What an instruction costs: the part of a device that does it (Counter).
enum class Work { other, fma32, fma64, float32, float64, root32, root64, load, store, meeting };

/// By its opcode, such as "fma.rn.f32".
Work work_of(std::string_view opcode);
/// About how many instructions ptxas makes of one: 64 bits of integer take two, a division takes a routine, a copy none.
unsigned slots_of(std::string_view opcode);

/// A copy between the parameters of caller and callee, both in the local memory of a lane.
struct ParameterCopy {
  std::size_t from = 0;
  std::size_t to = 0;
  std::size_t size = 0;
};

/// One instruction, ready to run.
struct Step {
  using Run = void (*)(const Step&, Warp&, Mask);

  Run run = nullptr;
  Flow flow = Flow::none;
  Work work = Work::other;
  unsigned slots = 1;
  int guard = -1;  ///< slot of the predicate, or none
  bool guard_negated = false;
  std::array<int, 4> dst{};
  std::array<int, 4> src{};
  bool src_negated = false;  ///< of the predicate among the sources, the last one
  Space space = Space::generic;
  std::uint64_t offset = 0;           ///< of an address
  int count = 1;                      ///< elements of a vector access
  std::uint64_t element_size = 0;     ///< of a memory access
  bool is_parameter = false;          ///< of a call: in local memory here, in registers on a device
  int target = 0;                     ///< of a branch or call
  std::vector<int> targets;           ///< of an indexed branch
  int return_slot = -1;               ///< where a call leaves its return address, and a ret finds it; -1: of a kernel
  std::vector<ParameterCopy> copies;  ///< arguments before a call, results after it
  const Statement* text = nullptr;    ///< for messages
};

/// A kernel with everything it calls. Callees stand before their callers: the lowest program counter first then means
/// that lanes inside a call finish before those that wait behind it.
struct Program {
  std::string name;
  std::vector<Step> steps;
  int entry = 0;
  int slots = 0;
  std::map<int, std::uint64_t> constants;  ///< slots that never change
  std::map<std::string, int> specials;     ///< slots of %tid.x and its like
  std::size_t local_size = 0;
  std::size_t shared_size = 0;        ///< static; the dynamic part follows
  std::vector<std::byte> parameters;  ///< of the kernel
  std::vector<std::size_t> parameter_offsets;
  std::vector<std::size_t> parameter_sizes;
};

/// Where the variables of a module live on the device.
using GlobalAddresses = std::map<std::string, std::uint64_t, std::less<>>;

/// Throws Error for an instruction that is not known, even one that would never be reached.
std::unique_ptr<Program> link(const Module& module, const std::string& kernel, const GlobalAddresses& globals);

}  // namespace bcr::test::ptx

#endif
