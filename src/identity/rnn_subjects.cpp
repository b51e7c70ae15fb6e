#include "kernels/embedding/embedding.hpp"
#include "kernels/rnn/gru.hpp"
#include "src/core/instances.hpp"
#include "src/identity/digest.hpp"
#include "src/identity/inputs.hpp"
#include "src/identity/subject.hpp"

namespace bcr::identity {
namespace {

constexpr int rows = 27, steps = 11, vocabulary = 300, width = 50, units = 37;
constexpr std::int32_t padding = 1;

/// Left-padded rows; every third one begins later than the others.
template <class Exec>
Matrix<std::int32_t, Exec> make_tokens(const Exec& exec) {
  return fill_input<Matrix<std::int32_t, Exec>>(
      exec, "identity/tokens", Kokkos::LayoutRight(rows, steps), [](Random& random, const std::size_t at) {
        const int i = static_cast<int>(at) / steps;
        const int t = static_cast<int>(at) % steps;
        if (i % 3 == 2 && t < 4) return kernels::no_token;
        if (t < 4 + i % 5) return padding;
        return static_cast<std::int32_t>(random.below(random.below(2) == 0 ? 4 : vocabulary));
      });
}

template <class Exec, class T>
Matrix<T, Exec> numbers(const Exec& exec, const std::string_view name, const std::size_t lines,
                        const std::size_t columns) {
  return matrix_input<T>(exec, name, lines, columns,
                         [](Random& random) { return uniform_between<T>(random, T(-1), T(1)); });
}

template <class Exec, class T>
Vector<T, Exec> bias(const Exec& exec, const std::string_view name) {
  return vector_input<T>(exec, name, 3 * units, [](Random& random) { return uniform_between<T>(random, T(-1), T(1)); });
}

template <class Exec, class T>
std::string embedding_digest(const Exec& exec) {
  const auto tokens = make_tokens(exec);
  const auto table = numbers<Exec, T>(exec, "identity/embedding", vocabulary, width);
  const auto diff_dst = numbers<Exec, T>(exec, "identity/diff_embedded", rows * steps, width);
  const Matrix<T, Exec> dst("bcr::identity::dst", rows * steps, width);
  const Matrix<T, Exec> diff_table("bcr::identity::diff_table", vocabulary, width);
  const Vector<std::int32_t, Exec> workspace("bcr::identity::workspace",
                                             kernels::embedding_workspace_size(rows * steps));
  kernels::embedding_forward<Exec, T>(exec, tokens, table, dst);
  kernels::embedding_backward<Exec, T>(exec, tokens, diff_dst, padding, diff_table, workspace);
  return digest_of(exec, dst, diff_table);
}

template <class Exec, class T>
struct GruInputs {
  explicit GruInputs(const Exec& exec)
      : tokens(make_tokens(exec)),
        src(numbers<Exec, T>(exec, "identity/embedded", rows * steps, width)),
        weights{numbers<Exec, T>(exec, "identity/gru_input", 3 * units, width),
                numbers<Exec, T>(exec, "identity/gru_recurrent", 3 * units, units),
                bias<Exec, T>(exec, "identity/gru_input_bias"), bias<Exec, T>(exec, "identity/gru_recurrent_bias")},
        states("bcr::identity::states", rows * steps, units),
        trace{Matrix<T, Exec>("bcr::identity::reset_update", rows * steps, 2 * units),
              Matrix<T, Exec>("bcr::identity::candidate", rows * steps, units),
              Matrix<T, Exec>("bcr::identity::recurrent", rows * steps, units)},
        workspace("bcr::identity::workspace", kernels::gru_workspace_size<Exec, T>(rows, width, units)) {
    kernels::gru_forward<Exec, T>(exec, tokens, src, weights, states, {}, trace, workspace);
  }

  Matrix<std::int32_t, Exec> tokens;
  Matrix<T, Exec> src;
  kernels::GruWeights<Exec, T> weights;
  Matrix<T, Exec> states;
  kernels::GruTrace<Exec, T> trace;
  Vector<T, Exec> workspace;
};

/// What no gate wrote, before a row has begun, is the zero of a new View.
template <class Exec, class T>
std::string forward_digest(const Exec& exec) {
  const GruInputs<Exec, T> gru(exec);
  const Matrix<T, Exec> last("bcr::identity::last", rows, units);
  kernels::gru_forward<Exec, T>(exec, gru.tokens, gru.src, gru.weights, {}, last, {}, gru.workspace);
  return digest_of(exec, gru.states, gru.trace.reset_update, gru.trace.candidate, gru.trace.recurrent, last);
}

template <class Exec, class T>
std::string backward_digest(const Exec& exec) {
  const GruInputs<Exec, T> gru(exec);
  const auto diff_last = numbers<Exec, T>(exec, "identity/diff_last", rows, units);
  const auto diff_states = numbers<Exec, T>(exec, "identity/diff_states", rows * steps, units);
  kernels::gru_backward<Exec, T>(exec, gru.tokens, gru.weights.recurrent, gru.states, diff_last, diff_states, gru.trace,
                                 gru.workspace);
  const Matrix<T, Exec> before("bcr::identity::before", rows * steps, units);
  kernels::gru_states_before<Exec, T>(exec, steps, gru.states, before);
  return digest_of(exec, before, gru.trace.reset_update, gru.trace.candidate, gru.trace.recurrent);
}

template <class Exec, class T>
void add_for(std::vector<Subject<Exec>>& subjects) {
  const std::string type(element_type_name<T>());
  subjects.push_back({"embedding." + type, embedding_digest<Exec, T>});
  subjects.push_back({"gru.forward." + type, forward_digest<Exec, T>});
  subjects.push_back({"gru.backward." + type, backward_digest<Exec, T>});
}

}  // namespace

template <class Exec>
void add_rnn_subjects(std::vector<Subject<Exec>>& subjects) {
  add_for<Exec, float>(subjects);
  add_for<Exec, double>(subjects);
}

#define BCR_INSTANCE(Exec) template void add_rnn_subjects<Exec>(std::vector<Subject<Exec>>&);
BCR_FOR_EACH_EXEC(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::identity
