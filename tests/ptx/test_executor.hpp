#ifndef BCR_TESTS_PTX_TEST_EXECUTOR_HPP
#define BCR_TESTS_PTX_TEST_EXECUTOR_HPP

#include "tests/ptx/device.hpp"

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace bcr::test::ptx {

/// A kernel k(in, out) around a few lines of PTX. Every thread has its number in %r0, its place in in and out (64 bits
/// each) in %rd0 and %rd1, and its input in %rd2; it leaves its output in %rd3.
inline std::string kernel_around(const std::string& body, const std::string& before = "") {
  return R"(.version 8.0
.target sm_80
.address_size 64
)" + before +
         R"(
.visible .entry k(.param .u64 k_param_0, .param .u64 k_param_1)
{
  .reg .pred %p<9>;
  .reg .b16 %rs<9>;
  .reg .b32 %r<20>;
  .reg .f32 %f<9>;
  .reg .f64 %fd<9>;
  .reg .b64 %rd<20>;
  .shared .align 8 .b8 room[1024];
  ld.param.u64 %rd0, [k_param_0];
  ld.param.u64 %rd1, [k_param_1];
  mov.u32 %r10, %ctaid.x;
  mov.u32 %r11, %ntid.x;
  mov.u32 %r0, %tid.x;
  mad.lo.s32 %r0, %r10, %r11, %r0;
  mul.wide.u32 %rd10, %r0, 8;
  add.s64 %rd0, %rd0, %rd10;
  add.s64 %rd1, %rd1, %rd10;
  ld.global.u64 %rd2, [%rd0];
)" + body +
         R"(
  st.global.u64 [%rd1], %rd3;
  ret;
}
)";
}

/// The outputs of that kernel for these inputs, a thread each, `threads` to a block.
inline std::vector<std::uint64_t> run_ptx(const std::string& text, const std::vector<std::uint64_t>& inputs,
                                          const unsigned threads = 32) {
  DeviceMemory memory;
  LoadedModule module(text, memory);
  const std::size_t bytes = inputs.size() * sizeof(std::uint64_t);
  void* const in = memory.allocate(bytes);
  void* const out = memory.allocate(bytes);
  std::memcpy(in, inputs.data(), bytes);
  const void* const arguments[] = {static_cast<const void*>(&in), static_cast<const void*>(&out)};
  const unsigned blocks = static_cast<unsigned>(inputs.size()) / threads;
  run_kernel(module.kernel("k"), memory, {.grid = {blocks}, .threads = {threads}}, arguments);
  std::vector<std::uint64_t> outputs(inputs.size());
  std::memcpy(outputs.data(), out, bytes);
  return outputs;
}

/// One thread.
inline std::uint64_t run_line(const std::string& body, const std::uint64_t input) {
  return run_ptx(kernel_around(body), {input}, 1).front();
}

}  // namespace bcr::test::ptx

#endif
