#ifndef BCR_SRC_CORE_PER_INSTANCE_HPP
#define BCR_SRC_CORE_PER_INSTANCE_HPP

#include "src/core/instances.hpp"

#include <tuple>

namespace bcr {
namespace impl {

template <class Exec, class T>
struct Instance {};
template <class... Instances>
struct InstanceList {};

#define BCR_INSTANCE(Exec, T) , Instance<Exec, T>
using AllInstances = InstanceList<void BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)>;
#undef BCR_INSTANCE

template <template <class, class> class Function, class List>
struct Functions;
template <template <class, class> class Function, class... Exec, class... T>
struct Functions<Function, InstanceList<void, Instance<Exec, T>...>> {
  using Tuple = std::tuple<Function<Exec, T>...>;
  template <class Maker>
  static Tuple of() {
    return {&Maker::template make<Exec, T>...};
  }
};

}  // namespace impl

/// One function for every execution space and real type of this build: how the entry of a registry, which is no
/// template, holds the factory of a class that is one. `Function<Exec, T>` is a type of function pointers:
///
///   struct MakeHsc { template <class Exec, class T> static std::unique_ptr<Loss<Exec, T>> make(...); };
///   const auto makers = PerInstance<LossMaker>::of<MakeHsc>();
///   makers.at<Kokkos::Serial, float>()(...);
template <template <class, class> class Function>
class PerInstance {
 public:
  template <class Maker>
  static PerInstance of() {
    PerInstance functions;
    functions.tuple_ = List::template of<Maker>();
    return functions;
  }

  template <class Exec, class T>
  Function<Exec, T> at() const {
    return std::get<Function<Exec, T>>(tuple_);
  }

 private:
  using List = impl::Functions<Function, impl::AllInstances>;
  typename List::Tuple tuple_{};
};

}  // namespace bcr

#endif
