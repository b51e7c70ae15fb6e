#ifndef BCR_KERNELS_NORM_CHANNEL_MAP_HPP
#define BCR_KERNELS_NORM_CHANNEL_MAP_HPP

#include "kernels/norm/dropout_mask.hpp"
#include "src/core/launch.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace bcr::kernels::impl {

enum class Masking { off, on };

/// Elements of one team. The unit of scheduling only: a map has no order. A device wants many teams of a few elements
/// for each thread.
template <class Exec>
inline constexpr int map_block = is_host_exec<Exec> ? 1 << 16 : 1 << 11;

/// For each element e of a tensor with channels innermost: map(e, coefficient, keep), where coefficient(k) is number k
/// of Map::coefficients of the channel e % channels, and keep is the dropout mask at e (true without masking).
///
/// A host thread goes in strips of one batch of the mask. So that the inner loop is long and without remainder also for
/// few channels, their coefficients are first repeated until they fill a strip.
template <class Exec, class T, class Map, Masking masking>
struct ChannelMap {
  static constexpr int strip = DropoutMask::batch;
  static constexpr int rows = Map::coefficients > 0 ? Map::coefficients : 1;
  static constexpr int mask_bytes = map_block<Exec> / 8;

  Map map;
  Kokkos::Array<const T*, rows> coefficients;  // each [channels]
  DropoutMask mask;
  int channels;
  std::size_t size;

  KOKKOS_FUNCTION void operator()(const typename Kokkos::TeamPolicy<Exec>::member_type& team) const {
    constexpr int block = map_block<Exec>;
    const std::size_t first = std::size_t(team.league_rank()) * block;
    const int count = size - first < std::size_t(block) ? int(size - first) : block;
    if constexpr (is_host_exec<Exec>) {
      KOKKOS_IF_ON_HOST((on_host(first, count);))
    } else {
      on_device(team, first, count);
    }
  }

 private:
  /// The channel is followed from element to element: a remainder for each would cost more than the map.
  template <class Member>
  KOKKOS_FUNCTION void on_device(const Member& team, const std::size_t first, const int count) const {
    const int threads = team.team_size();
    const int stride = threads % channels;
    const int begin = team.league_rank() % channels * (map_block<Exec> % channels) % channels;  // first % channels
    int channel = (begin + team.team_rank()) % channels;
    std::uint8_t* kept = nullptr;  // by eights of elements
    if constexpr (masking == Masking::on) {
      const int bytes = mask_bytes;
      kept = static_cast<std::uint8_t*>(team.team_scratch(0).get_shmem(bytes));
      for (int i = team.team_rank(); i < bytes; i += threads) kept[i] = std::uint8_t(mask.keeps_eight(first + 8 * i));
      team.team_barrier();
    }
    for (int i = team.team_rank(); i < count; i += threads) {
      const std::size_t e = first + i;
      bool keep = true;
      if constexpr (masking == Masking::on) keep = kept[i / 8] >> (i % 8) & 1;
      map(
          e, [&](const int k) { return coefficients[k][channel]; }, keep);
      channel += stride;
      if (channel >= channels) channel -= channels;
    }
  }

  void on_host(const std::size_t first, const int count) const {
    alignas(64) T repeated[rows][2 * strip];
    alignas(64) std::uint16_t room[DropoutMask::padded(strip)];
    Kokkos::Array<const T*, rows> table = coefficients;
    int period = channels;
    if (channels < strip) {
      period = (strip + channels - 1) / channels * channels;
      for (int k = 0; k < Map::coefficients; ++k) {
        for (int i = 0; i < channels; ++i) repeated[k][i] = coefficients[k][i];
        for (int i = channels; i < period; ++i) repeated[k][i] = repeated[k][i - channels];
        table[k] = repeated[k];
      }
    }
    int place = int(first % period);
    for (int begin = 0; begin < count; begin += strip) {
      const int end = begin + strip < count ? begin + strip : count;
      const std::uint16_t* halves = room;
      if constexpr (masking == Masking::on) halves = mask.fill(first + begin, end - begin, room);
      for (int i = begin; i < end;) {  // twice at most, since a period is not shorter than a strip
        const int length = end - i < period - place ? end - i : period - place;
        stretch(first + i, length, table, place, halves + (i - begin));
        i += length;
        place = place + length == period ? 0 : place + length;
      }
    }
  }

  KOKKOS_FUNCTION void stretch(const std::size_t first, const int length, const Kokkos::Array<const T*, rows>& table,
                               const int place, const std::uint16_t* const halves) const {
    const Map here = map;
    const T* columns[rows];
    for (int k = 0; k < Map::coefficients; ++k) columns[k] = table[k] + place;
    const std::uint16_t threshold = mask.threshold();
#pragma omp simd
    for (int i = 0; i < length; ++i) {
      here(
          first + i, [&](const int k) { return columns[k][i]; }, masking == Masking::off || halves[i] >= threshold);
    }
  }
};

/// Launches a map with or without the mask.
template <class T, class Exec, class Map, std::size_t rows>
void channel_map(const char* const label, const Exec& exec, const Map& map,
                 const Kokkos::Array<const T*, rows>& coefficients, const Dropout& dropout, const int channels,
                 const std::size_t size) {
  if (size == 0) return;
  constexpr std::size_t block = map_block<Exec>;
  auto policy = block_policy(exec, int((size + block - 1) / block), 256);
  const DropoutMask mask(dropout);
  if (dropout.active()) {
    if constexpr (!is_host_exec<Exec>) policy.set_scratch_size(0, Kokkos::PerTeam(block / 8 + 8));
    Kokkos::parallel_for(label, policy, ChannelMap<Exec, T, Map, Masking::on>{map, coefficients, mask, channels, size});
  } else {
    Kokkos::parallel_for(label, policy,
                         ChannelMap<Exec, T, Map, Masking::off>{map, coefficients, mask, channels, size});
  }
}

}  // namespace bcr::kernels::impl

#endif
