#include "kernels/conv/pair_tiles.hpp"

#include <type_traits>

namespace bcr::kernels::impl {
namespace {

/// From a row to the next where the rows of a pair lie side by side: known to the compiler, which then needs one
/// address for all of them.
using SideBySide = std::integral_constant<std::ptrdiff_t, 2>;

/// R * B blocks of sums stay in registers; per pair: B blocks of columns, R broadcasts, R * B products of pairs.
template <int R, int B, class Step>
[[gnu::always_inline]] inline void run(const PairProduct& product, const Step next_row, PairSums (&sum)[R][B]) {
  const Bf16* rows = product.rows;
  const Bf16* columns = product.columns;
  for (int p = 0; p < product.pairs; ++p) {
    PairRow column[B];
    unroll<B>([&](const auto b)
                  __attribute__((always_inline)) { column[b] = PairRow::load(columns + b * product.next_columns); });
    unroll<R>([&](const auto r) __attribute__((always_inline)) {
      const PairRow factor = PairRow::repeat(rows + r * next_row);
      unroll<B>([&](const auto b) __attribute__((always_inline)) { sum[r][b].add(factor, column[b]); });
    });
    rows += product.next_row_pair;
    columns += 2 * channel_block<float>;
  }
}

template <int R, int B>
[[gnu::always_inline]] inline void store(const PairSums (&sum)[R][B], const PairProduct& product) {
  float* const to = product.sums;
  const std::ptrdiff_t next = product.next_sums;
  unroll<R>([&](const auto r) __attribute__((always_inline)) {
    unroll<B>([&](const auto b)
                  __attribute__((always_inline)) { sum[r][b].store(to + b * next + r * channel_block<float>); });
  });
}

struct Multiply {
  template <int R, int B>
  static void of(const PairProduct& product) {
    PairSums sum[R][B];
    unroll<R>([&](const auto r) __attribute__((always_inline)) {
      unroll<B>([&](const auto b) __attribute__((always_inline)) { sum[r][b] = PairSums::zero(); });
    });
    run<R, B>(product, product.next_row, sum);
    store(sum, product);
  }
};

struct Add {
  template <int R, int B>
  static void of(const PairProduct& product) {
    PairSums sum[R][B];
    unroll<R>([&](const auto r) __attribute__((always_inline)) {
      unroll<B>([&](const auto b) __attribute__((always_inline)) {
        sum[r][b] = PairSums::load(product.sums + b * product.next_sums + r * channel_block<float>);
      });
    });
    run<R, B>(product, SideBySide{}, sum);
    store(sum, product);
  }
};

template <class Operation, int R, int B>
void of_size(const PairProduct& product, const int rows, const int blocks) {
  if constexpr (B > 1) {
    if (blocks < B) return of_size<Operation, R, B - 1>(product, rows, blocks);
  }
  if constexpr (R > 1) {
    if (rows < R) return of_size<Operation, R - 1, B>(product, rows, blocks);
  }
  Operation::template of<R, B>(product);
}

}  // namespace

void multiply_pairs(const PairProduct& product, const int rows, const int blocks) {
  of_size<Multiply, tile_rows, tile_blocks>(product, rows, blocks);
}

void add_pairs(const PairProduct& product, const int rows, const int blocks) {
  of_size<Add, tile_rows, tile_blocks>(product, rows, blocks);
}

}  // namespace bcr::kernels::impl
