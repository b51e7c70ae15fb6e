#ifndef BCR_SRC_TRAIN_RANK_AGREEMENT_HPP
#define BCR_SRC_TRAIN_RANK_AGREEMENT_HPP

#include "src/comm/communicator.hpp"

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

namespace bcr::train {

/// Ranks read their files by themselves; what they read must be the same. `lines` is what this rank has found: an
/// IoError on every rank that names the first rank with other lines than rank 0, and the first such line.
void require_same_on_all_ranks(comm::Communicator& ranks, std::string_view what, const std::string& lines);

/// Rank 0 writes, and all go on when it has: the others wait as long as it takes, since a slow disk is no rank that
/// hangs. Then waiting has its limit again.
void write_on_root(comm::Communicator& ranks, std::chrono::duration<double> time_limit,
                   const std::function<void()>& write);

}  // namespace bcr::train

#endif
