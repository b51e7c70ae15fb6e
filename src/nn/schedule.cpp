#include "src/nn/schedule.hpp"

#include <algorithm>
#include <limits>

namespace bcr::nn {
namespace {

using kernels::ChainStart;

/// The events at which the backward pass reads a value.
struct Reads {
  int first = std::numeric_limits<int>::max();
  int last = -1;

  bool any() const { return last >= 0; }
  void at(const int event) {
    first = std::min(first, event);
    last = std::max(last, event);
  }
};

class Scheduler {
 public:
  Scheduler(const Graph& graph, const Phase phase, const Folding folding)
      : graph_(graph), operations_(graph.operations()), training_(phase == Phase::training) {
    const std::size_t values = graph.values().size();
    schedule_.value.assign(values, no_buffer);
    schedule_.kept.assign(values, no_buffer);
    schedule_.diff.assign(values, no_buffer);
    schedule_.diff_src_start.assign(operations_.size(), ChainStart::zero);
    schedule_.adds_diff_to_addend.assign(operations_.size(), false);
    schedule_.starts_in_place.assign(operations_.size(), false);
    schedule_.recomputed_before.resize(operations_.size());
    schedule_.runs_until = find_fusions(graph, training_ ? Folding::off : folding);
  }

  Schedule run() {
    const auto reads = training_ ? find_backward_reads() : std::vector<Reads>(graph_.values().size());
    for (int i = 0; i < size(); i = schedule_.runs_until[i] + 1) {
      place_result(i, reads);
      for (int end = i + 1; end <= schedule_.runs_until[i]; ++end) place_end(end);
    }
    if (training_)
      for (int i = size() - 1; i >= 0; --i) place_gradients(i);
    return std::move(schedule_);
  }

 private:
  int size() const { return static_cast<int>(operations_.size()); }
  int backward_event(const int operation) const { return 2 * size() - 1 - operation; }
  static int producer(const ValueId value) { return value - 1; }

  int add_buffer(const int first, const int last, const ValueId value) {
    schedule_.buffers.push_back({first, last, graph_.shape(value).size()});
    return static_cast<int>(schedule_.buffers.size()) - 1;
  }

  void extend(const int buffer, const int last) {
    auto& lifetime = schedule_.buffers[buffer];
    lifetime.last = std::max(lifetime.last, last);
  }

  int last_consumer(const ValueId value) const {
    int last = producer(value);
    for (int i = 0; i < size(); ++i)
      if (operations_[i].src == value || operations_[i].addend == value) last = i;
    return last;
  }

  /// In descending order, so that whoever is recomputed has passed on when its own source is read.
  std::vector<Reads> find_backward_reads() {
    std::vector<Reads> reads(graph_.values().size());
    for (int i = size() - 1; i >= 0; --i) {
      const auto& operation = operations_[i];
      if (backward_reads_source(operation)) reads[operation.src].at(backward_event(i));
      if (backward_reads_result(operation)) reads[operation.dst].at(backward_event(i));
      if (!is_recomputed(operation) || !reads[operation.dst].any()) continue;
      const int first = reads[operation.dst].first;
      reads[operation.src].at(first);
      auto& rerun = schedule_.recomputed_before[backward_event(first)];
      rerun.insert(rerun.begin(), i);
    }
    return reads;
  }

  void place_result(const int i, const std::vector<Reads>& reads) {
    const auto& operation = operations_[i];
    const ValueId dst = operation.dst;
    const bool is_output = dst == graph_.output();
    const int last_forward = is_output && training_ ? size() : std::max(last_consumer(dst), i);
    const bool twice = is_recomputed(operation) && reads[dst].any();
    const int last = twice ? last_forward : std::max(last_forward, reads[dst].last);
    if (may_start_in_place(i, reads)) {
      schedule_.starts_in_place[i] = true;
      schedule_.value[dst] = schedule_.value[operation.addend];
      extend(schedule_.value[dst], last);
    } else {
      schedule_.value[dst] = add_buffer(i, last, dst);
    }
    schedule_.kept[dst] = twice ? add_buffer(reads[dst].first, reads[dst].last, dst) : schedule_.value[dst];
  }

  /// The result of an operation that runs as the end of a convolution.
  void place_end(const int i) {
    const auto& operation = operations_[i];
    const int buffer = schedule_.value[operation.src];
    schedule_.value[operation.dst] = buffer;
    schedule_.kept[operation.dst] = buffer;
    extend(buffer, std::max(last_consumer(operation.dst), i));
  }

  bool may_start_in_place(const int i, const std::vector<Reads>& reads) const {
    const auto& operation = operations_[i];
    return std::holds_alternative<Convolution>(operation.kind) && operation.addend > graph_.input() &&
           operation.addend != operation.src && last_consumer(operation.addend) == i && !reads[operation.addend].any();
  }

  void place_gradients(const int i) {
    const auto& operation = operations_[i];
    if (operation.dst == graph_.output())
      schedule_.diff[operation.dst] = add_buffer(size() - 1, backward_event(i), operation.dst);
    const int diff_dst = schedule_.diff[operation.dst];
    require<ShapeError>(diff_dst != no_buffer, operation.name, "a result that somebody uses", "one that nobody uses");

    if (std::holds_alternative<Add>(operation.kind)) {
      share_with_source(operation, diff_dst);
    } else if (operation.src != graph_.input()) {
      int& diff_src = schedule_.diff[operation.src];
      schedule_.diff_src_start[i] = diff_src == no_buffer ? ChainStart::zero : ChainStart::dst;
      if (diff_src == no_buffer)
        diff_src = add_buffer(backward_event(i), backward_event(producer(operation.src)), operation.src);
    }
    if (operation.addend > graph_.input()) share_with_addend(i, diff_dst);
  }

  void share_with_source(const Operation& operation, const int diff_dst) {
    schedule_.diff[operation.src] = diff_dst;
    extend(diff_dst, backward_event(producer(operation.src)));
  }

  void share_with_addend(const int i, const int diff_dst) {
    const auto& operation = operations_[i];
    int& diff_addend = schedule_.diff[operation.addend];
    schedule_.adds_diff_to_addend[i] = diff_addend != no_buffer;
    if (diff_addend != no_buffer) return;
    if (std::holds_alternative<Add>(operation.kind)) require_read_before_written(i);
    diff_addend = diff_dst;
    extend(diff_dst, backward_event(producer(operation.addend)));
  }

  /// Both gradients of an Add share one buffer: that of the source must have been read before others add to the one of
  /// the addend.
  void require_read_before_written(const int add) const {
    const auto& operation = operations_[add];
    for (int i = 0; i < add; ++i) {
      if (operations_[i].src != operation.addend && operations_[i].addend != operation.addend) continue;
      require<ShapeError>(i < producer(operation.src), operation.name, "an addend whose other consumers come first",
                          operations_[i].name);
    }
  }

  const Graph& graph_;
  const std::vector<Operation>& operations_;
  bool training_;
  Schedule schedule_;
};

}  // namespace

Schedule make_schedule(const Graph& graph, const Phase phase, const Folding folding) {
  return Scheduler(graph, phase, folding).run();
}

}  // namespace bcr::nn
