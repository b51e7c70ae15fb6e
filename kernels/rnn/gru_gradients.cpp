#include "kernels/rnn/gru_gradients.hpp"

#include "kernels/conv/chunks.hpp"
#include "kernels/embedding/embedding.hpp"
#include "kernels/rnn/row_tiles.hpp"
#include "src/core/instances.hpp"

#include <algorithm>

namespace bcr::kernels {
namespace {

using impl::blocks_of;

/// Lines of one chain of linear_backward_weights.
constexpr int chunk_lines = 1024;

/// The gradients of one gate: a matrix inside another.
template <class T>
struct GateLines {
  const T* data;
  std::size_t stride;
};
template <class Exec, class T>
GateLines<T> lines_of_gate(const GateGradients<Exec, T>& gradients, const int gate) {
  const std::size_t H = gradients.third.extent(1);
  if (gate == 2) return {gradients.third.data(), H};
  return {gradients.reset_update.data() + gate * H, 2 * H};
}

/// The sums of a chunk for some units of one gate and some columns of src. Lines pass in bands; what they meet is
/// copied side by side and stays in the nearest caches for all tiles.
template <class Exec, class T>
class WeightsOfChunks {
  static constexpr int lanes = channel_block<T>;
  static constexpr int band_lines = 128;
  static constexpr int most_units = 128;
  static constexpr int most_blocks = 8;
  static constexpr T zeros[most_units] = {};

 public:
  WeightsOfChunks(const ConstMatrix<std::int32_t, Exec>& tokens, const GateGradients<Exec, T>& gradients,
                  const ConstMatrix<T, Exec>& src, const MetLine met, T* const sums)
      : tokens_(tokens), gradients_(gradients), src_(src), met_(met), sums_(sums) {}

  int items() const { return chunks() * 3 * unit_groups() * column_groups(); }
  int chunks() const { return blocks_of(lines(), chunk_lines); }
  int blocks() const { return blocks_of(src_.extent_int(1), lanes); }
  int gates() const { return 3 * units(); }
  /// [chunks, blocks, 3 H, lanes]
  const T* sums(const int chunk, const int block) const { return at(chunk, block); }

  void operator()(int item) const {
    const auto next = [&item](const int extent) {
      const int index = item % extent;
      item /= extent;
      return index;
    };
    const int column_group = next(column_groups());
    const int unit_group = next(unit_groups());
    const int gate = next(3);
    Part part{.gradients = lines_of_gate(gradients_, gate)};
    part.unit = unit_group * most_units;
    part.units = std::min(most_units, units() - part.unit);
    part.block = column_group * most_blocks;
    part.blocks = std::min(most_blocks, blocks() - part.block);
    part.sums = at(item, part.block) + (gate * units() + part.unit) * lanes;
    for (int block = 0; block < part.blocks; ++block)
      std::fill_n(part.sums + block * block_sums(), part.units * lanes, T(0));
    sum(part, item * chunk_lines, std::min(lines(), (item + 1) * chunk_lines));
  }

 private:
  struct Part {
    GateLines<T> gradients;
    int unit = 0;
    int units = 0;
    int block = 0;
    int blocks = 0;
    T* sums = nullptr;
  };
  /// Lines and copies of what they meet; the columns of neighbouring blocks lie together as a tile reads them.
  struct Band {
    alignas(64) T met[band_lines * most_blocks * lanes];
    impl::PixelRun<T> runs[band_lines];
    int run_count = 0;
    int size = 0;
  };

  int lines() const { return static_cast<int>(tokens_.size()); }
  int units() const { return gradients_.third.extent_int(1); }
  int unit_groups() const { return blocks_of(units(), most_units); }
  int column_groups() const { return blocks_of(blocks(), most_blocks); }
  std::ptrdiff_t block_sums() const { return std::ptrdiff_t(gates()) * lanes; }
  T* at(const int chunk, const int block) const {
    return sums_ + (std::size_t(chunk) * blocks() + block) * block_sums();
  }

  /// A stretch of lines that have not begun is one line of zeros: a chain to which 0 was added once does not change
  /// when it is added again.
  void sum(const Part& part, const int first, const int last) const {
    Band band;
    bool continues = false, after_zeros = false;
    for (int line = first; line < last; ++line) {
      const bool begun = tokens_.data()[line] != no_token;
      if (!begun && after_zeros) continue;
      if (begun)
        append(part, line, continues, band);
      else
        append_zeros(part, band);
      continues = begun;
      after_zeros = !begun;
      if (band.size < band_lines) continue;
      add(part, band);
      continues = false;
    }
    add(part, band);
  }

  /// `continues`: the line before it was the last one that was appended.
  void append(const Part& part, const int line, const bool continues, Band& band) const {
    const T* const gradients = part.gradients.data + line * part.gradients.stride + part.unit;
    for (int unit = 0; unit < part.units; unit += lanes) impl::prefetch(gradients + unit);
    if (continues)
      ++band.runs[band.run_count - 1].size;
    else
      band.runs[band.run_count++] = {.src = gradients, .diff_dst = nullptr, .size = 1};
    if (met_ == MetLine::same_step)
      copy(part, src_.data() + std::size_t(line) * src_.extent(1), band);
    else if (line % tokens_.extent_int(1) > 0)
      copy(part, src_.data() + std::size_t(line - 1) * src_.extent(1), band);
    else
      clear(part, band);
  }
  static void append_zeros(const Part& part, Band& band) {
    band.runs[band.run_count++] = {.src = zeros, .diff_dst = nullptr, .size = 1};
    clear(part, band);
  }

  void copy(const Part& part, const T* const src, Band& band) const {
    const int n = src_.extent_int(1);
    for (int block = 0; block < part.blocks; ++block) {
      const int column = (part.block + block) * lanes;
      T* const to = place(part, block, band);
      if (n - column >= lanes) {
        impl::Lanes<T>::load(src + column).store(to);
      } else {
        for (int l = 0; l < lanes; ++l) to[l] = l < n - column ? src[column + l] : T(0);
      }
    }
    ++band.size;
  }
  static void clear(const Part& part, Band& band) {
    for (int block = 0; block < part.blocks; ++block) impl::Lanes<T>::zero().store(place(part, block, band));
    ++band.size;
  }

  /// Blocks whose columns lie together with those of a block, and where those of the next line go.
  static int neighbours(const Part& part, const int block) {
    return std::min(impl::tile_blocks, part.blocks - block / impl::tile_blocks * impl::tile_blocks);
  }
  static T* place(const Part& part, const int block, Band& band) {
    const int before = block % impl::tile_blocks;
    return band.met + ((block - before) * band_lines + band.size * neighbours(part, block) + before) * lanes;
  }

  void add(const Part& part, Band& band) const {
    for (int block = 0; block < part.blocks && band.size > 0; block += impl::tile_blocks) {
      const T* met = band.met + block * band_lines * lanes;
      for (int run = 0; run < band.run_count; ++run) {
        band.runs[run].diff_dst = met;
        met += band.runs[run].size * neighbours(part, block) * lanes;
      }
      for (int unit = 0; unit < part.units;) {
        const int size = impl::tile_size(part.units - unit);
        impl::add_to_weights_tile(band.runs, band.run_count, unit, static_cast<std::ptrdiff_t>(part.gradients.stride),
                                  impl::SumsTile<T>{.sums = part.sums + block * block_sums() + unit * lanes,
                                                    .size = size,
                                                    .blocks = neighbours(part, block),
                                                    .next_sums = block_sums()});
        unit += size;
      }
    }
    band.run_count = band.size = 0;
  }

  ConstMatrix<std::int32_t, Exec> tokens_;
  GateGradients<Exec, T> gradients_;
  ConstMatrix<T, Exec> src_;
  MetLine met_;
  T* sums_;
};

/// Joins the chunks of some neighbouring rows of one block of columns.
template <class Exec, class T>
class JoinWeights {
  static constexpr int lanes = channel_block<T>;
  static constexpr int rows = 8;

 public:
  JoinWeights(const WeightsOfChunks<Exec, T>& sums, const Matrix<T, Exec>& dst) : sums_(sums), dst_(dst) {}

  int items() const { return sums_.blocks() * row_groups(); }

  void operator()(const int item) const {
    const int block = item / row_groups();
    const int first = item % row_groups() * rows;
    const int count = std::min(rows, sums_.gates() - first);
    T sum[rows * lanes];
    impl::join_chunks(sums_.sums(0, block) + first * lanes, sums_.sums(1, 0) - sums_.sums(0, 0), sums_.chunks(),
                      count * lanes, sum);
    const int columns = std::min(lanes, dst_.extent_int(1) - block * lanes);
    for (int row = 0; row < count; ++row) std::copy_n(sum + row * lanes, columns, &dst_(first + row, block * lanes));
  }

 private:
  int row_groups() const { return blocks_of(sums_.gates(), rows); }

  WeightsOfChunks<Exec, T> sums_;
  Matrix<T, Exec> dst_;
};

/// The gradients of some lines' inputs. Several tiles of lines read the same weights from the nearest cache.
template <class Exec, class T>
struct InputsOfLines {
  static constexpr int lanes = channel_block<T>;
  static constexpr int item_lines = 96;

  ConstMatrix<std::int32_t, Exec> tokens;
  GateGradients<Exec, T> gradients;
  const T* packed;  ///< [blocks of columns, 3 H, lanes]
  ChainStart start;
  Matrix<T, Exec> dst;

  int items() const { return blocks_of(static_cast<int>(tokens.size()), item_lines); }

  void operator()(const int item) const {
    const int first = item * item_lines;
    const int last = std::min(first + item_lines, static_cast<int>(tokens.size()));
    if (start == ChainStart::zero) std::fill(dst.data() + place(first), dst.data() + place(last), T(0));
    int begun[item_lines];
    int count = 0;
    for (int line = first; line < last; ++line)
      if (tokens.data()[line] != no_token) begun[count++] = line;
    for (int column = 0; column < dst.extent_int(1); column += impl::tile_blocks * lanes) {
      add_products({gradients.reset_update.data(), gradients.reset_update.extent(1)}, 0, begun, count, column);
      add_products({gradients.third.data(), gradients.third.extent(1)}, 2 * units(), begun, count, column);
    }
  }

 private:
  int units() const { return gradients.third.extent_int(1); }
  std::size_t place(const int line) const { return std::size_t(line) * dst.extent(1); }

  /// Of the gates in one matrix, the first of which meets weights number `gate`.
  void add_products(const GateLines<T>& gates, const int gate, const int* const lines, const int count,
                    const int column) const {
    const T* const weights = packed + std::ptrdiff_t(column) * 3 * units() + std::ptrdiff_t(gate) * lanes;
    const impl::RowProducts products{.length = static_cast<int>(gates.stride),
                                     .columns = std::min(impl::tile_blocks * lanes, dst.extent_int(1) - column),
                                     .next_weights = std::ptrdiff_t(3) * units() * lanes};
    for (int first = 0; first < count;) {
      impl::PixelTile<T> tile;
      tile.size = impl::tile_size(count - first);
      for (int p = 0; p < tile.size; ++p) {
        tile.src[p] = gates.data + lines[first + p] * gates.stride;
        tile.dst[p] = dst.data() + place(lines[first + p]) + column;
      }
      impl::add_row_products(tile, weights, products);
      first += tile.size;
    }
  }
};

template <class Exec, class T>
void require_gradients(const std::string_view operation, const ConstMatrix<std::int32_t, Exec>& tokens,
                       const GateGradients<Exec, T>& gradients, const std::size_t n, const Vector<T, Exec>& workspace) {
  const std::size_t H = gradients.third.extent(1);
  require_shape(operation, "gradients.reset_update", gradients.reset_update, {tokens.size(), 2 * H});
  require_shape(operation, "gradients.third", gradients.third, {tokens.size(), H});
  impl::require_workspace(operation, workspace, GruGradients<Exec, T>::workspace_size(tokens.size(), n, H));
}

template <class Exec, class Functor>
void launch_items(const std::string& label, const Exec& exec, const Functor& functor) {
  using Policy = Kokkos::RangePolicy<Exec, Kokkos::Schedule<Kokkos::Dynamic>, Kokkos::IndexType<int>>;
  Kokkos::parallel_for(label, Policy(exec, 0, functor.items(), Kokkos::ChunkSize(1)), functor);
}

}  // namespace

template <class Exec, class T>
  requires is_host_exec<Exec>
std::size_t GruGradients<Exec, T>::workspace_size(const std::size_t lines, const std::size_t n, const std::size_t H) {
  const auto blocks = static_cast<std::size_t>(blocks_of(static_cast<int>(n), channel_block<T>));
  const auto chunks = static_cast<std::size_t>(blocks_of(static_cast<int>(lines), chunk_lines));
  return std::max<std::size_t>(1, chunks) * blocks * 3 * H * channel_block<T>;
}

template <class Exec, class T>
  requires is_host_exec<Exec>
void GruGradients<Exec, T>::weights(const Exec& exec, ConstMatrix<std::int32_t, Exec> tokens,
                                    const GateGradients<Exec, T>& gradients, ConstMatrix<T, Exec> src,
                                    const MetLine met, Matrix<T, Exec> diff_weights, Vector<T, Exec> workspace) {
  constexpr const char* operation = "gru_backward_weights";
  require_gradients(operation, tokens, gradients, src.extent(1), workspace);
  require_shape(operation, "src", src, {tokens.size(), src.extent(1)});
  require_shape(operation, "diff_weights", diff_weights, {3 * gradients.third.extent(1), src.extent(1)});
  const WeightsOfChunks<Exec, T> sums(tokens, gradients, src, met, workspace.data());
  launch_items("bcr::kernels::gru_backward_weights", exec, sums);
  launch_items("bcr::kernels::gru_backward_weights::join", exec, JoinWeights<Exec, T>(sums, diff_weights));
}

template <class Exec, class T>
  requires is_host_exec<Exec>
void GruGradients<Exec, T>::inputs(const Exec& exec, ConstMatrix<std::int32_t, Exec> tokens,
                                   const GateGradients<Exec, T>& gradients, ConstMatrix<T, Exec> weights,
                                   const ChainStart start, Matrix<T, Exec> diff_src, Vector<T, Exec> workspace) {
  constexpr const char* operation = "gru_backward_inputs";
  require_gradients(operation, tokens, gradients, weights.extent(1), workspace);
  require_shape(operation, "weights", weights, {3 * gradients.third.extent(1), weights.extent(1)});
  require_shape(operation, "diff_src", diff_src, {tokens.size(), weights.extent(1)});
  const ConstTensor4<T, Exec> window(weights.data(), 1, 1, weights.extent(0), weights.extent(1));
  const Vector<T, Exec> packed(workspace.data(), impl::packed_size<impl::LaneChannels::output, T>(window));
  impl::pack_weights<impl::LaneChannels::output, Exec, T>(exec, window, packed);
  launch_items("bcr::kernels::gru_backward_inputs", exec,
               InputsOfLines<Exec, T>{tokens, gradients, packed.data(), start, diff_src});
}

#define BCR_INSTANCE(Exec, T) template struct GruGradients<Exec, T>;
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::kernels
