#ifndef BCR_TESTS_SYCL_DEVICE_CODE_HPP
#define BCR_TESTS_SYCL_DEVICE_CODE_HPP

#include "tests/sycl/shipment.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace bcr::sycl_check {

/// "bcr::kernels::RowSoftmax<Kokkos::SYCL, float>": how C++ spells the type in a source that includes its definition.
/// Throws a std::runtime_error for a lambda, which has no name.
std::string spelled_type(const std::type_info& type);

/// The functors of a program as device code. The run-time compiler gets one text for each source file, with an entry
/// for each functor of it that was noted.
class DeviceCode {
 public:
  /// When to compile: a functor at its first launch; or all at once, after a rehearsal in which launches are only
  /// noted.
  enum class Compile { at_launch, after_rehearsal };

  /// Options of the compiler: folders, macros, floating-point switches.
  DeviceCode(std::vector<std::string> options, const Compile when)
      : options_(std::move(options)), rehearsing_(when == Compile::after_rehearsal) {}

  void launch(sycl::queue& queue, const Shipment& shipment);
  /// Ends the rehearsal.
  void compile(const sycl::queue& queue);

  /// Launches that ran on the device so far.
  std::size_t launches() const { return launches_; }
  std::size_t functors() const { return functors_.size(); }

 private:
  struct Functor {
    std::string source;
    std::string type;
    std::string entry;
    std::size_t size = 0;
    std::size_t local_bytes = 0;
    bool teams = false;
    std::optional<sycl::kernel> kernel;
  };

  void note(const Shipment& shipment, const std::string& type);
  void run(sycl::queue& queue, const Functor& functor, const Shipment& shipment);
  void compile_source(const sycl::queue& queue, const std::string& source);
  std::string text_of(const std::string& source) const;

  std::vector<std::string> options_;
  std::map<std::string, Functor> functors_;
  bool rehearsing_;
  std::size_t launches_ = 0;
};

/// The one that `ship` uses; set before the first launch.
void set_device_code(DeviceCode* code);

}  // namespace bcr::sycl_check

#endif
