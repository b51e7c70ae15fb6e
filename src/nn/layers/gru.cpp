#include "src/nn/layers/gru.hpp"

#include "kernels/norm/column_sums.hpp"
#include "kernels/rnn/gru.hpp"
#include "kernels/rnn/gru_gradients.hpp"
#include "src/nn/layer.hpp"
#include "src/nn/linear_backend.hpp"

#include <algorithm>

namespace bcr::nn {
namespace {

/// Steps and gates are strict in every mode: one sweep that keeps a few rows in the nearest cache. What a device's
/// library may compute are the products over all steps at once, which are most of the way back. On hosts ours are
/// quicker: no library passes over the lines that have not begun.
template <class Exec, class T>
class GruLayer final : public Layer<Exec, T> {
 public:
  GruLayer(const OperationWith<Gru>& operation, const LayerContext<Exec, T>& context)
      : parameters_(context.parameters),
        result_(operation.settings().result),
        padding_(operation.settings().padding),
        steps_(operation.source_shape().width),
        inputs_(operation.source_shape().channels),
        units_(operation.settings().units) {
    if (!is_host_exec<Exec>)
      products_ = make_linear_backend<Exec, T>(
          {.inputs = std::max(inputs_, units_), .outputs = 2 * units_, .most_rows = context.most_images * steps_},
          context.mode);
    const auto add = [&](const char* const name, std::vector<std::size_t> extents) {
      return context.parameters.add(
          {.name = operation.name() + name, .extents = std::move(extents), .initial = operation.settings().initial});
    };
    input_weights_ = add(".input_weights", {3 * units_, inputs_});
    recurrent_weights_ = add(".recurrent_weights", {3 * units_, units_});
    input_bias_ = add(".input_bias", {3 * units_});
    recurrent_bias_ = add(".recurrent_bias", {3 * units_});
  }

  std::string computed_by() const override {
    return is_host_exec<Exec> ? "strict" : "steps strict, products of the way back " + products_->description();
  }

  WorkspaceSize workspace_size(const int most_images) const override {
    const std::size_t lines = most_images * steps_;
    return {
        .values = std::max(kernels::gru_workspace_size<Exec, T>(most_images, inputs_, units_), products_size(lines)),
        .sums = kernels::norm_partials(lines, 2 * units_)};
  }

  void forward(const Exec& exec, const PassInfo&, const ForwardViews<Exec, T>& views,
               const Workspace<Exec, T>& workspace) override {
    const bool to_sequence = result_ == GruResult::sequence;
    const auto dst = as_rows<Exec, T>(views.dst());
    const Kept kept(views.trace, dst.extent(0) / (to_sequence ? steps_ : 1) * steps_, units_, result_);
    kernels::gru_forward<Exec, T>(exec, views.tokens(1), as_rows<Exec, T>(views.src()),
                                  {parameters_.matrix(input_weights_), parameters_.matrix(recurrent_weights_),
                                   parameters_.values(input_bias_), parameters_.values(recurrent_bias_)},
                                  to_sequence ? dst : kept.states, to_sequence ? Matrix<T, Exec>() : dst, kept.trace,
                                  workspace.values, padding_);
  }

  void backward(const Exec& exec, const PassInfo&, const BackwardViews<Exec, T>& views,
                const Workspace<Exec, T>& workspace) override {
    const auto src = as_rows<Exec, T>(views.src());
    const auto diff_dst = as_rows<Exec, T>(views.diff_dst());
    const Kept kept(views.trace, src.extent(0), units_, result_);
    const bool from_sequence = result_ == GruResult::sequence;
    const Matrix<T, Exec> states = from_sequence ? as_rows<Exec, T>(views.dst()) : kept.states;
    const Matrix<T, Exec> none;
    kernels::gru_backward<Exec, T>(exec, views.tokens(1), parameters_.matrix(recurrent_weights_), states,
                                   from_sequence ? none : diff_dst, from_sequence ? diff_dst : none, kept.trace,
                                   workspace.values);
    sum_biases(exec, kept.trace, workspace.sums);
    if constexpr (is_host_exec<Exec>)
      sum_what_has_begun(exec, views, kept.trace, states, workspace.values);
    else
      sum_by_products(exec, views, kept.trace, states, workspace.values);
  }

 private:
  using Trace = kernels::GruTrace<Exec, T>;

  /// What training keeps of a pass with so many lines: the gates and, if they are not its result, the states.
  struct Kept {
    Kept(const Vector<T, Exec>& memory, const std::size_t lines, const std::size_t units, const GruResult result) {
      if (memory.data() == nullptr) return;
      T* place = memory.data();
      const auto take = [&](const std::size_t columns) {
        const Matrix<T, Exec> matrix(place, lines, columns);
        place += lines * columns;
        return matrix;
      };
      trace = {take(2 * units), take(units), take(units)};
      if (result == GruResult::last) states = take(units);
    }

    Trace trace;
    Matrix<T, Exec> states;
  };

  /// The rows of reset and update, or of the candidate.
  Matrix<T, Exec> first_gates(const Matrix<T, Exec>& weights) const {
    return Matrix<T, Exec>(weights.data(), 2 * units_, weights.extent(1));
  }
  Matrix<T, Exec> last_gate(const Matrix<T, Exec>& weights) const {
    return Matrix<T, Exec>(weights.data() + 2 * units_ * weights.extent(1), units_, weights.extent(1));
  }

  /// Reset and update meet both biases in the same sum.
  void sum_biases(const Exec& exec, const Trace& trace, const Vector<double, Exec>& sums) const {
    const auto gates = Kokkos::pair<std::size_t, std::size_t>(0, 2 * units_);
    const auto candidate = Kokkos::pair<std::size_t, std::size_t>(2 * units_, 3 * units_);
    const Vector<T, Exec> input = parameters_.gradients(input_bias_);
    const Vector<T, Exec> recurrent = parameters_.gradients(recurrent_bias_);
    kernels::column_sums<Exec, T>(exec, trace.reset_update, sums, Kokkos::subview(input, gates));
    Kokkos::deep_copy(exec, Kokkos::subview(recurrent, gates), Kokkos::subview(input, gates));
    kernels::column_sums<Exec, T>(exec, trace.candidate, sums, Kokkos::subview(input, candidate));
    kernels::column_sums<Exec, T>(exec, trace.recurrent, sums, Kokkos::subview(recurrent, candidate));
  }

  std::size_t products_size(const std::size_t lines) const {
    if constexpr (is_host_exec<Exec>)
      return kernels::GruGradients<Exec, T>::workspace_size(lines, std::max(inputs_, units_), units_);
    else
      return lines * units_ + products_->workspace_size();
  }

  void sum_what_has_begun(const Exec& exec, const BackwardViews<Exec, T>& views, const Trace& trace,
                          const Matrix<T, Exec>& states, const Vector<T, Exec>& room) {
    using Gradients = kernels::GruGradients<Exec, T>;
    const kernels::GateGradients<Exec, T> of_inputs{trace.reset_update, trace.candidate};
    const kernels::GateGradients<Exec, T> of_states{trace.reset_update, trace.recurrent};
    const auto tokens = views.tokens(1);
    Gradients::weights(exec, tokens, of_inputs, as_rows<Exec, T>(views.src()), kernels::MetLine::same_step,
                       parameters_.matrix_gradients(input_weights_), room);
    Gradients::weights(exec, tokens, of_states, states, kernels::MetLine::step_before,
                       parameters_.matrix_gradients(recurrent_weights_), room);
    if (views.asks_for_diff_src())
      Gradients::inputs(exec, tokens, of_inputs, parameters_.matrix(input_weights_), views.diff_src_start(),
                        as_rows<Exec, T>(views.diff_src()), room);
  }

  void sum_by_products(const Exec& exec, const BackwardViews<Exec, T>& views, const Trace& trace,
                       const Matrix<T, Exec>& states, const Vector<T, Exec>& values) {
    const auto src = as_rows<Exec, T>(views.src());
    const Vector<T, Exec> room =
        Kokkos::subview(values, Kokkos::pair(src.extent(0) * units_, static_cast<std::size_t>(values.extent(0))));
    differentiate_weights(exec, src, trace, trace.candidate, input_weights_, room);
    if (views.asks_for_diff_src()) differentiate_source(exec, trace, views, room);
    const Matrix<T, Exec> before(values.data(), src.extent(0), units_);
    kernels::gru_states_before<Exec, T>(exec, steps_, states, before);
    differentiate_weights(exec, before, trace, trace.recurrent, recurrent_weights_, room);
  }

  void differentiate_weights(const Exec& exec, const Matrix<T, Exec>& src, const Trace& trace,
                             const Matrix<T, Exec>& diff_candidate, const int weights, const Vector<T, Exec>& room) {
    const Matrix<T, Exec> gradients = parameters_.matrix_gradients(weights);
    products_->backward_weights(exec, src, trace.reset_update, first_gates(gradients), room);
    products_->backward_weights(exec, src, diff_candidate, last_gate(gradients), room);
  }

  void differentiate_source(const Exec& exec, const Trace& trace, const BackwardViews<Exec, T>& views,
                            const Vector<T, Exec>& room) {
    const auto diff_src = as_rows<Exec, T>(views.diff_src());
    const Matrix<T, Exec> weights = parameters_.matrix(input_weights_);
    products_->backward_data(exec, trace.reset_update, first_gates(weights), views.diff_src_start(), diff_src, room);
    products_->backward_data(exec, trace.candidate, last_gate(weights), kernels::ChainStart::dst, diff_src, room);
  }

  const ParameterStore<Exec, T>& parameters_;
  GruResult result_;
  std::int32_t padding_;
  std::size_t steps_;
  std::size_t inputs_;
  std::size_t units_;
  std::unique_ptr<LinearBackend<Exec, T>> products_;  ///< of devices
  int input_weights_ = 0;
  int recurrent_weights_ = 0;
  int input_bias_ = 0;
  int recurrent_bias_ = 0;
};

class GruOperation final : public OperationOf<Gru, GruLayer> {
 public:
  using OperationOf::OperationOf;

  Element source_element(const std::size_t source) const override {
    return source == 0 ? Element::real : Element::token;
  }
  bool backward_reads_source(std::size_t) const override { return true; }
  bool backward_reads_result() const override { return settings().result == GruResult::sequence; }
  std::size_t trace_size() const override {
    const std::size_t matrices = settings().result == GruResult::sequence ? 4 : 5;
    return matrices * source_shape().pixels() * settings().units;
  }

  OperationWork work() const override {
    OperationWork work = traffic();
    const double gates = 3.0 * settings().units;
    work.weights = gates * (source_shape().channels + settings().units);
    work.multiply_accumulates = static_cast<double>(source_shape().pixels()) * work.weights;
    work.values += static_cast<double>(trace_size());
    work.gradients += 3.0 * static_cast<double>(trace_size());  // read, overwritten, read by the products
    return work;
  }

 protected:
  std::vector<ImageShape> infer() const override {
    const ImageShape& src = source_shape();
    const ImageShape tokens{1, src.width, 1};
    require<ShapeError>(src.height == 1 && src.width > 0, name(), "vectors of shape [1, L, E], L > 0", src.text());
    require<ShapeError>(source_shape(1) == tokens, name(), "tokens of shape " + tokens.text(), source_shape(1).text());
    require<ShapeError>(settings().units > 0, name(), "units", std::to_string(settings().units));
    return {{1, settings().result == GruResult::sequence ? src.width : 1, settings().units}};
  }
};

}  // namespace

ValueId gru(Graph& graph, std::string name, const ValueId src, const ValueId tokens, const Gru& settings) {
  return graph.append(std::make_shared<GruOperation>(std::move(name), std::vector{src, tokens}, settings));
}

}  // namespace bcr::nn
