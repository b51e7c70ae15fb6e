#include "kernels/math/map.hpp"

#include "kernels/math/erfc.hpp"
#include "kernels/math/exp.hpp"
#include "kernels/math/expm1.hpp"
#include "kernels/math/log.hpp"
#include "kernels/math/log1p.hpp"
#include "kernels/math/sigmoid.hpp"
#include "kernels/math/tanh.hpp"
#include "src/core/instances.hpp"
#include "src/core/launch.hpp"

#include <cstddef>

namespace bcr::kernels::strict {

namespace {

struct Exp {
  static constexpr const char* operation = "kernels::strict::exp";
  static constexpr const char* label = "bcr::kernels::exp";
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static T value(const T x) {
    return strict::exp(x);
  }
};

struct Expm1 {
  static constexpr const char* operation = "kernels::strict::expm1";
  static constexpr const char* label = "bcr::kernels::expm1";
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static T value(const T x) {
    return strict::expm1(x);
  }
};

struct Log {
  static constexpr const char* operation = "kernels::strict::log";
  static constexpr const char* label = "bcr::kernels::log";
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static T value(const T x) {
    return strict::log(x);
  }
};

struct Log1p {
  static constexpr const char* operation = "kernels::strict::log1p";
  static constexpr const char* label = "bcr::kernels::log1p";
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static T value(const T x) {
    return strict::log1p(x);
  }
};

struct Erfc {
  static constexpr const char* operation = "kernels::strict::erfc";
  static constexpr const char* label = "bcr::kernels::erfc";
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static T value(const T x) {
    return strict::erfc(x);
  }
};

struct Sigmoid {
  static constexpr const char* operation = "kernels::strict::sigmoid";
  static constexpr const char* label = "bcr::kernels::sigmoid";
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static T value(const T x) {
    return strict::sigmoid(x);
  }
};

struct Tanh {
  static constexpr const char* operation = "kernels::strict::tanh";
  static constexpr const char* label = "bcr::kernels::tanh";
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static T value(const T x) {
    return strict::tanh(x);
  }
};

/// One team per block of neighbours: a plain vector loop on hosts, coalesced accesses on devices.
template <class Function, class T, class Member>
struct Block {
  static constexpr int size = 2048;

  const T* src;
  T* dst;
  std::size_t count;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const std::size_t begin = std::size_t(team.league_rank()) * size;
    const int length = count - begin < std::size_t(size) ? int(count - begin) : size;
    const T* const from = src + begin;
    T* const to = dst + begin;
    // Two loops, because a vector loop must know that what it stores is not what it is about to load.
    if (from == to) {
      Kokkos::parallel_for(Kokkos::TeamVectorRange(team, length), [=](const int i) { to[i] = Function::value(to[i]); });
    } else {
      Kokkos::parallel_for(Kokkos::TeamVectorRange(team, length),
                           [=](const int i) { to[i] = Function::value(from[i]); });
    }
  }
};

template <class Function, class Exec, class T>
void map(const Exec& exec, const ConstVector<T, Exec>& src, const Vector<T, Exec>& dst) {
  require_shape(Function::operation, "dst", dst, shape(src));
  if (src.extent(0) == 0) return;
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  using Body = Block<Function, T, Member>;
  const std::size_t blocks = (src.extent(0) + Body::size - 1) / Body::size;
  Kokkos::parallel_for(Function::label, block_policy(exec, int(blocks)), Body{src.data(), dst.data(), src.extent(0)});
}

}  // namespace

template <class Exec, class T>
void exp(const Exec& exec, ConstVector<std::type_identity_t<T>, Exec> src, Vector<T, Exec> dst) {
  map<Exp, Exec, T>(exec, src, dst);
}

template <class Exec, class T>
void expm1(const Exec& exec, ConstVector<std::type_identity_t<T>, Exec> src, Vector<T, Exec> dst) {
  map<Expm1, Exec, T>(exec, src, dst);
}

template <class Exec, class T>
void log(const Exec& exec, ConstVector<std::type_identity_t<T>, Exec> src, Vector<T, Exec> dst) {
  map<Log, Exec, T>(exec, src, dst);
}

template <class Exec, class T>
void log1p(const Exec& exec, ConstVector<std::type_identity_t<T>, Exec> src, Vector<T, Exec> dst) {
  map<Log1p, Exec, T>(exec, src, dst);
}

template <class Exec, class T>
void erfc(const Exec& exec, ConstVector<std::type_identity_t<T>, Exec> src, Vector<T, Exec> dst) {
  map<Erfc, Exec, T>(exec, src, dst);
}

template <class Exec, class T>
void sigmoid(const Exec& exec, ConstVector<std::type_identity_t<T>, Exec> src, Vector<T, Exec> dst) {
  map<Sigmoid, Exec, T>(exec, src, dst);
}

template <class Exec, class T>
void tanh(const Exec& exec, ConstVector<std::type_identity_t<T>, Exec> src, Vector<T, Exec> dst) {
  map<Tanh, Exec, T>(exec, src, dst);
}

#define BCR_INSTANCE(Exec, T)                                                                               \
  template void exp<Exec, T>(const Exec&, ConstVector<std::type_identity_t<T>, Exec>, Vector<T, Exec>);     \
  template void expm1<Exec, T>(const Exec&, ConstVector<std::type_identity_t<T>, Exec>, Vector<T, Exec>);   \
  template void log<Exec, T>(const Exec&, ConstVector<std::type_identity_t<T>, Exec>, Vector<T, Exec>);     \
  template void log1p<Exec, T>(const Exec&, ConstVector<std::type_identity_t<T>, Exec>, Vector<T, Exec>);   \
  template void erfc<Exec, T>(const Exec&, ConstVector<std::type_identity_t<T>, Exec>, Vector<T, Exec>);    \
  template void sigmoid<Exec, T>(const Exec&, ConstVector<std::type_identity_t<T>, Exec>, Vector<T, Exec>); \
  template void tanh<Exec, T>(const Exec&, ConstVector<std::type_identity_t<T>, Exec>, Vector<T, Exec>);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::kernels::strict
