#include "src/nn/schedule.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace bcr::nn {
namespace {

using kernels::ChainStart;

EpilogueRole role_of(const Graph& graph, const std::size_t operation) {
  const auto& operations = graph.operations();
  return operation < operations.size() ? operations[operation]->epilogue_role() : EpilogueRole::none;
}

/// Whether operation i + 1 reads the result of operation i, and nobody else does.
bool alone_reads(const Graph& graph, const std::size_t i) {
  const ValueId result = graph.operations()[i]->result();
  return graph.operations()[i + 1]->source() == result && graph.consumers(result) == 1;
}

bool takes_norm(const Graph& graph, const std::size_t i) {
  const EpilogueRole next = role_of(graph, i + 1);
  return role_of(graph, i) == EpilogueRole::begins &&
         (next == EpilogueRole::scales || next == EpilogueRole::scales_and_activates) && alone_reads(graph, i);
}

/// For a convolution that takes in its batch norm: the addend must be there when it runs.
bool takes_sum(const Graph& graph, const std::size_t i) {
  return role_of(graph, i + 1) == EpilogueRole::scales && role_of(graph, i + 2) == EpilogueRole::adds &&
         alone_reads(graph, i + 1) && graph.operations()[i + 2]->source(1) < graph.operations()[i]->result();
}

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
  Scheduler(const Graph& graph, const Phase phase, const Folding folding, const InputGradients input_gradients)
      : graph_(graph),
        operations_(graph.operations()),
        training_(phase != Phase::inference),
        input_gradients_(input_gradients) {
    const std::size_t values = graph.values().size();
    schedule_.value.assign(values, no_buffer);
    schedule_.kept.assign(values, no_buffer);
    schedule_.diff.assign(values, no_buffer);
    schedule_.adds_diff_to.assign(operations_.size(), no_value);
    schedule_.overwrites.assign(operations_.size(), false);
    schedule_.trace.assign(operations_.size(), no_buffer);
    schedule_.recomputed_before.resize(operations_.size());
    for (const auto& operation : operations_)
      schedule_.diff_starts.emplace_back(operation->sources().size(), ChainStart::zero);
    schedule_.runs_until = find_fusions(graph, training_ ? Folding::off : folding);
  }

  Schedule run() {
    const auto reads = training_ ? find_backward_reads() : std::vector<Reads>(graph_.values().size());
    for (int i = 0; i < size(); i = schedule_.runs_until[i] + 1) {
      for (const ValueId result : operations_[i]->results()) place_result(i, result, reads);
      for (int end = i + 1; end <= schedule_.runs_until[i]; ++end) place_end(end);
    }
    if (!training_) return std::move(schedule_);
    for (int i = 0; i < size(); ++i) place_trace(i);
    for (const auto& [name, value] : graph_.outputs())
      if (schedule_.diff[value] == no_buffer)
        schedule_.diff[value] = add_buffer(size() - 1, backward_event(producer(value)), value);
    for (int i = size() - 1; i >= 0; --i) place_gradients(i);
    return std::move(schedule_);
  }

 private:
  int size() const { return static_cast<int>(operations_.size()); }
  int backward_event(const int operation) const { return 2 * size() - 1 - operation; }
  int producer(const ValueId value) const { return graph_.values()[value].producer; }
  bool is_input(const ValueId value) const { return graph_.values()[value].is_input(); }

  int add_buffer(const int first, const int last, const ValueId value) {
    schedule_.buffers.push_back({first, last, graph_.shape(value).size()});
    return static_cast<int>(schedule_.buffers.size()) - 1;
  }

  void extend(const int buffer, const int last) {
    auto& lifetime = schedule_.buffers[buffer];
    lifetime.last = std::max(lifetime.last, last);
  }

  /// The last event of the forward pass that needs a value. In training an output lives until the backward pass begins.
  int last_forward(const ValueId value) const {
    if (graph_.is_output(value)) return training_ ? size() : size() - 1;
    return graph_.last_consumer(value);
  }

  /// In descending order, so that whoever is recomputed has passed on when its own sources are read.
  std::vector<Reads> find_backward_reads() {
    std::vector<Reads> reads(graph_.values().size());
    for (int i = size() - 1; i >= 0; --i) {
      const Operation& operation = *operations_[i];
      for (std::size_t s = 0; s < operation.sources().size(); ++s)
        if (operation.backward_reads_source(s)) reads[operation.source(s)].at(backward_event(i));
      Reads of_results;
      for (const ValueId result : operation.results()) {
        if (operation.backward_reads_result()) reads[result].at(backward_event(i));
        of_results.first = std::min(of_results.first, reads[result].first);
        of_results.last = std::max(of_results.last, reads[result].last);
      }
      if (!operation.is_recomputed() || !of_results.any()) continue;
      for (const ValueId source : operation.sources()) reads[source].at(of_results.first);
      auto& rerun = schedule_.recomputed_before[backward_event(of_results.first)];
      rerun.insert(rerun.begin(), i);
    }
    return reads;
  }

  void place_result(const int i, const ValueId dst, const std::vector<Reads>& reads) {
    const Operation& operation = *operations_[i];
    const bool twice = operation.is_recomputed() && reads[dst].any();
    const int last = twice ? last_forward(dst) : std::max(last_forward(dst), reads[dst].last);
    if (may_overwrite(i, dst, reads)) {
      schedule_.overwrites[i] = true;
      schedule_.value[dst] = schedule_.value[operation.source(operation.overwrites())];
      extend(schedule_.value[dst], last);
    } else {
      schedule_.value[dst] = add_buffer(i, last, dst);
    }
    schedule_.kept[dst] = twice ? add_buffer(reads[dst].first, reads[dst].last, dst) : schedule_.value[dst];
  }

  void place_trace(const int i) {
    const std::size_t length = operations_[i]->trace_size();
    if (length == 0) return;
    schedule_.trace[i] = static_cast<int>(schedule_.buffers.size());
    schedule_.buffers.push_back({i, backward_event(i), length});
  }

  /// The result of an operation that runs as the end of a convolution.
  void place_end(const int i) {
    const Operation& operation = *operations_[i];
    const int buffer = schedule_.value[operation.source()];
    schedule_.value[operation.result()] = buffer;
    schedule_.kept[operation.result()] = buffer;
    extend(buffer, last_forward(operation.result()));
  }

  bool may_overwrite(const int i, const ValueId dst, const std::vector<Reads>& reads) const {
    const Operation& operation = *operations_[i];
    if (operation.overwrites() == Operation::no_source || dst != operation.result()) return false;
    const ValueId source = operation.source(operation.overwrites());
    return !is_input(source) && !graph_.is_output(source) && std::ranges::count(operation.sources(), source) == 1 &&
           graph_.last_consumer(source) == i && !reads[source].any();
  }

  void place_gradients(const int i) {
    const Operation& operation = *operations_[i];
    for (const ValueId result : operation.results())
      require<ShapeError>(schedule_.diff[result] != no_buffer, operation.name(), "results that somebody uses",
                          "one that nobody uses");
    for (std::size_t s = 0; s < operation.sources().size(); ++s) {
      if (is_input(operation.source(s))) {
        if (input_gradients_ == InputGradients::none) continue;
        require<ShapeError>(operation.gradient_of(s) != SourceGradient::shared, operation.name(),
                            "a source that is no input, whose gradient is asked for", "an input");
      }
      if (operation.gradient_of(s) == SourceGradient::computed) place_computed(i, s);
      if (operation.gradient_of(s) == SourceGradient::shared) share(i, s);
    }
  }

  void place_computed(const int i, const std::size_t s) {
    const ValueId source = operations_[i]->source(s);
    int& diff = schedule_.diff[source];
    schedule_.diff_starts[i][s] = diff == no_buffer ? ChainStart::zero : ChainStart::dst;
    if (diff == no_buffer) diff = add_buffer(backward_event(i), backward_event(producer(source)), source);
  }

  /// The gradient of the result becomes that of the source. Of several sources only the last may have other consumers.
  void share(const int i, const std::size_t s) {
    const Operation& operation = *operations_[i];
    const ValueId source = operation.source(s);
    const int diff_dst = schedule_.diff[operation.result()];
    int& diff = schedule_.diff[source];
    const bool is_last = s + 1 == operation.sources().size();
    require<ShapeError>(is_last || graph_.consumers(source) == 1, operation.name(), "a source without another consumer",
                        "a value that is used twice");
    if (diff != no_buffer) {
      schedule_.adds_diff_to[i] = source;
      return;
    }
    for (std::size_t other = 0; other < s; ++other)
      if (operation.gradient_of(other) == SourceGradient::shared) require_read_before_written(i, s, other);
    diff = diff_dst;
    extend(diff_dst, backward_event(producer(source)));
  }

  /// Two gradients share one buffer: that of source `other` must have been read before anybody adds to that of source s,
  /// or its producer changes it in place.
  void require_read_before_written(const int operation, const std::size_t s, const std::size_t other) const {
    const ValueId shared = operations_[operation]->source(s);
    const int reader = producer(operations_[operation]->source(other));
    const Operation& maker = *operations_[producer(shared)];
    require<ShapeError>(producer(shared) < reader || maker.gradient_of(0) != SourceGradient::shared,
                        operations_[operation]->name(), "an addend that is made before the other term", maker.name());
    for (int i = 0; i < operation; ++i) {
      if (std::ranges::count(operations_[i]->sources(), shared) == 0) continue;
      require<ShapeError>(i < reader, operations_[operation]->name(), "an addend whose other consumers come first",
                          operations_[i]->name());
    }
  }

  const Graph& graph_;
  const std::vector<std::shared_ptr<const Operation>>& operations_;
  bool training_;
  InputGradients input_gradients_;
  Schedule schedule_;
};

}  // namespace

std::vector<int> find_fusions(const Graph& graph, const Folding folding) {
  std::vector<int> last(graph.operations().size());
  std::iota(last.begin(), last.end(), 0);
  if (folding == Folding::off) return last;
  for (std::size_t i = 0; i < last.size(); ++i)
    if (takes_norm(graph, i)) last[i] += takes_sum(graph, i) ? 2 : 1;
  return last;
}

Schedule make_schedule(const Graph& graph, const Phase phase, const Folding folding,
                       const InputGradients input_gradients) {
  return Scheduler(graph, phase, folding, input_gradients).run();
}

}  // namespace bcr::nn
