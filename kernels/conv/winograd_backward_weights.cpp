#include "kernels/conv/winograd.hpp"

#include "kernels/conv/winograd_weights_device.hpp"
#include "kernels/conv/winograd_weights_finish.hpp"
#include "kernels/conv/winograd_weights_host.hpp"
#include "src/core/instances.hpp"
#include "src/core/launch.hpp"

#include <algorithm>

namespace bcr::kernels {
namespace {

/// FinishWeights on a device. A team has one input channel and one block: each thread joins a lane of one matrix, then
/// the first of them transform.
template <class Exec, class T>
class FinishWeightsOnDevice {
  static constexpr int lanes = channel_block<T>;
  static constexpr int threads = 16 * lanes;
  using Policy = Kokkos::TeamPolicy<Exec, Kokkos::LaunchBounds<threads, 2>>;

 public:
  FinishWeightsOnDevice(const impl::WinogradWeightsSums<Exec, T>& sums, const Tensor4<T, Exec>& diff_weights)
      : sums_(sums), diff_weights_(diff_weights) {}

  void launch(const Exec& exec) const {
    const auto scratch = Kokkos::PerTeam(impl::scratch_size<T>(threads));
    Kokkos::parallel_for("bcr::kernels::winograd_backward_weights::join",
                         Policy(exec, sums_.blocks * sums_.src.extent_int(3), threads).set_scratch_size(0, scratch),
                         *this);
  }

  KOKKOS_FUNCTION void operator()(const typename Policy::member_type& team) const {
    const int inputs = sums_.src.extent_int(3);
    const int block = team.league_rank() / inputs;
    const int ic = team.league_rank() % inputs;
    T* const joined = impl::quad_scratch<T>(team, threads);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, threads), [&](const int i) {
      T sum[1];
      impl::join_chunks(sums_.sums.data() + sums_.offset(0, block, i / lanes) + std::size_t(ic) * lanes + i % lanes,
                        sums_.offset(1, 0, 0), sums_.chunks, 1, sum);
      joined[i] = sum[0];
    });
    team.team_barrier();
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, lanes), [&](const int lane) {
      const int oc = (sums_.first_block + block) * lanes + lane;
      if (oc >= diff_weights_.extent_int(3)) return;
      T m[16];
      T g[9];
      for (int i = 0; i < 16; ++i) m[i] = joined[i * lanes + lane];
      impl::transform_sums(m, g);
      for (int tap = 0; tap < 9; ++tap) diff_weights_(tap / 3, tap % 3, ic, oc) = g[tap];
    });
  }

 private:
  impl::WinogradWeightsSums<Exec, T> sums_;
  Tensor4<T, Exec> diff_weights_;
};

template <class DiffDst>
int chunk_of(const DiffDst& diff_dst) {
  return winograd_backward_weights_chunk(diff_dst.extent_int(1), diff_dst.extent_int(2));
}

}  // namespace

int winograd_backward_weights_chunk(const int output_height, const int output_width) {
  constexpr int tiles = 512;
  return impl::blocks_of(tiles, std::max(1, (output_height + 1) / 2 * ((output_width + 1) / 2)));
}

template <class Exec, class T>
std::size_t winograd_backward_weights_workspace_size(const ConstTensor4<T, Exec> diff_dst,
                                                     const ConstTensor4<T, Exec> diff_weights) {
  return impl::passes_of<T>(chunk_of(diff_dst), diff_dst, diff_weights).workspace_size();
}

template <class Exec, class T>
void winograd_backward_weights(const Exec& exec, const int pad, const ConstTensor4<T, Exec> src,
                               const ConstTensor4<T, Exec> diff_dst, const Tensor4<T, Exec> diff_weights,
                               const Vector<T, Exec> workspace) {
  constexpr const char* operation = "winograd_backward_weights";
  impl::require_three_taps(operation, diff_weights);
  impl::require_convolution(operation, {.stride = 1, .pad = pad}, src, diff_weights, diff_dst);
  impl::require_workspace(operation, workspace,
                          impl::passes_of<T>(chunk_of(diff_dst), diff_dst, diff_weights).workspace_size());
  if (diff_weights.size() == 0) return;

  impl::for_each_pass<Exec, T>(pad, chunk_of(diff_dst), src, diff_dst, diff_weights, workspace, [&](const auto& sums) {
    constexpr const char* label = "bcr::kernels::winograd_backward_weights";
    if constexpr (is_host_exec<Exec>) {
      impl::WinogradWeightsOnHost<Exec, T>(sums).launch(exec, label);
      impl::FinishWeights<8 * channel_block<T>, Exec, T>(sums, diff_weights).launch(exec);
    } else {
      impl::WinogradWeightsOnDevice<Exec, T, 64>(sums).launch(exec, label);
      FinishWeightsOnDevice<Exec, T>(sums, diff_weights).launch(exec);
    }
  });
}

#define BCR_INSTANCE(Exec, T)                                                                                      \
  template std::size_t winograd_backward_weights_workspace_size<Exec, T>(ConstTensor4<T, Exec>,                    \
                                                                         ConstTensor4<T, Exec>);                   \
  template void winograd_backward_weights<Exec, T>(const Exec&, int, ConstTensor4<T, Exec>, ConstTensor4<T, Exec>, \
                                                   Tensor4<T, Exec>, Vector<T, Exec>);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::kernels
