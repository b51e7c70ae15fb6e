#include "kernels/norm/elementwise.hpp"

#include "kernels/norm/activation.hpp"
#include "kernels/norm/channel_map.hpp"
#include "src/core/instances.hpp"

namespace bcr::kernels {
namespace {

template <class T>
struct ReluMap {
  static constexpr int coefficients = 0;
  const T* src;
  T* dst;
  template <class Coefficient>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const std::size_t e, const Coefficient&, bool) const {
    dst[e] = activated<Activation::relu>(src[e]);
  }
};

template <class T>
struct ReluBackwardMap {
  static constexpr int coefficients = 0;
  const T* dst;
  const T* diff_dst;
  T* diff_src;
  template <class Coefficient>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const std::size_t e, const Coefficient&, bool) const {
    const T diff = diff_dst[e];
    diff_src[e] = passes<Activation::relu>(dst[e]) ? diff : T(0);
  }
};

template <class T>
struct MaskMap {
  static constexpr int coefficients = 0;
  const T* src;
  T* dst;
  T factor;
  template <class Coefficient>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const std::size_t e, const Coefficient&, const bool keep) const {
    const T kept = src[e] * factor;
    dst[e] = keep ? kept : T(0);
  }
};

template <class T>
struct CopyMap {
  static constexpr int coefficients = 0;
  const T* src;
  T* dst;
  template <class Coefficient>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const std::size_t e, const Coefficient&, bool) const {
    dst[e] = src[e];
  }
};

template <class T>
struct AddMap {
  static constexpr int coefficients = 0;
  const T* src;
  T* dst;
  template <class Coefficient>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const std::size_t e, const Coefficient&, bool) const {
    dst[e] = dst[e] + src[e];
  }
};

template <class T, class Exec, class Map>
void flat_map(const char* const label, const Exec& exec, const Map& map, const Dropout& dropout,
              const std::size_t size) {
  const Kokkos::Array<const T*, 1> none{};
  impl::channel_map<T>(label, exec, map, none, dropout, DropoutMask::batch, size);
}

}  // namespace

template <class Exec, class T>
void relu_forward(const Exec& exec, ConstVector<T, Exec> src, Vector<T, Exec> dst) {
  require_shape("relu_forward", "dst", dst, shape(src));
  flat_map<T>("bcr::kernels::relu_forward", exec, ReluMap<T>{src.data(), dst.data()}, Dropout{}, src.size());
}

template <class Exec, class T>
void relu_backward(const Exec& exec, ConstVector<T, Exec> dst, ConstVector<T, Exec> diff_dst,
                   Vector<T, Exec> diff_src) {
  require_shape("relu_backward", "diff_dst", diff_dst, shape(dst));
  require_shape("relu_backward", "diff_src", diff_src, shape(dst));
  flat_map<T>("bcr::kernels::relu_backward", exec, ReluBackwardMap<T>{dst.data(), diff_dst.data(), diff_src.data()},
              Dropout{}, dst.size());
}

template <class Exec, class T>
void dropout_map(const Exec& exec, ConstVector<T, Exec> src, const Dropout& dropout, Vector<T, Exec> dst) {
  require_dropout("dropout_map", dropout);
  require_shape("dropout_map", "dst", dst, shape(src));
  flat_map<T>("bcr::kernels::dropout_map", exec, MaskMap<T>{src.data(), dst.data(), static_cast<T>(dropout.factor())},
              dropout, src.size());
}

template <class Exec, class T>
void copy(const Exec& exec, ConstVector<T, Exec> src, Vector<T, Exec> dst) {
  require_shape("copy", "dst", dst, shape(src));
  flat_map<T>("bcr::kernels::copy", exec, CopyMap<T>{src.data(), dst.data()}, Dropout{}, src.size());
}

template <class Exec, class T>
void add(const Exec& exec, ConstVector<T, Exec> src, Vector<T, Exec> dst) {
  require_shape("add", "dst", dst, shape(src));
  flat_map<T>("bcr::kernels::add", exec, AddMap<T>{src.data(), dst.data()}, Dropout{}, src.size());
}

#define BCR_INSTANCE(Exec, T)                                                                                     \
  template void relu_forward<Exec, T>(const Exec&, ConstVector<T, Exec>, Vector<T, Exec>);                        \
  template void relu_backward<Exec, T>(const Exec&, ConstVector<T, Exec>, ConstVector<T, Exec>, Vector<T, Exec>); \
  template void dropout_map<Exec, T>(const Exec&, ConstVector<T, Exec>, const Dropout&, Vector<T, Exec>);         \
  template void copy<Exec, T>(const Exec&, ConstVector<T, Exec>, Vector<T, Exec>);                                \
  template void add<Exec, T>(const Exec&, ConstVector<T, Exec>, Vector<T, Exec>);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::kernels
