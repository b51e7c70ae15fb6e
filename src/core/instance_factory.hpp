#ifndef BCR_SRC_CORE_INSTANCE_FACTORY_HPP
#define BCR_SRC_CORE_INSTANCE_FACTORY_HPP

#include "src/core/error.hpp"

#include <any>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <typeindex>

namespace bcr {

/// How to make a Product<Exec, T> for each execution space and number type that somebody provided: lets an entry of a
/// Registry, which is no template, describe a component that is one.
template <template <class, class> class Product, class... Arguments>
class InstanceFactory {
 public:
  template <class Exec, class T>
  using Maker = std::function<std::unique_ptr<Product<Exec, T>>(Arguments...)>;

  template <class Exec, class T>
  InstanceFactory& provide(Maker<Exec, T> maker) {
    makers_[typeid(Product<Exec, T>)] = std::move(maker);
    return *this;
  }

  /// A BackendError that names the component if nobody provided this instance.
  template <class Exec, class T>
  std::unique_ptr<Product<Exec, T>> make(const std::string& component, Arguments... arguments) const {
    const auto found = makers_.find(typeid(Product<Exec, T>));
    require<BackendError>(found != makers_.end(), component, "a factory for this execution space and type", "none");
    return std::any_cast<const Maker<Exec, T>&>(found->second)(arguments...);
  }

 private:
  std::map<std::type_index, std::any> makers_;
};

}  // namespace bcr

#endif
