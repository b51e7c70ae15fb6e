#include "tests/sycl/device_code.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <set>
#include <stdexcept>

namespace bcr::sycl_check {
namespace {

namespace experimental = sycl::ext::oneapi::experimental;

constexpr std::size_t range_group = 64;

DeviceCode* current = nullptr;  // Kokkos' ParallelFor can be handed nothing

void remove_all(std::string& text, const std::string& part) {
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part)) text.erase(at, part.size());
}

/// "kernels/reduce/sum.cpp", however the compiler was told of it: so that a changed copy in another folder can win.
std::string place_in_tree(const std::string& file) {
  std::size_t start = 0;
  for (const char* const room : {"/kernels/", "/losses/", "/models/", "/src/"}) {
    const std::size_t at = file.rfind(room);
    if (at != std::string::npos) start = std::max(start, at + 1);
  }
  return file.substr(start);
}

/// Memory of the queue, given back at the end of a scope.
using Usm = std::unique_ptr<char, std::function<void(char*)>>;

Usm usm(sycl::queue& queue, const std::size_t bytes) {
  return Usm(sycl::malloc_shared<char>(std::max<std::size_t>(bytes, 1), queue),
             [&queue](char* const memory) { sycl::free(memory, queue); });
}

}  // namespace

std::string spelled_type(const std::type_info& type) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> name(abi::__cxa_demangle(type.name(), nullptr, nullptr, &status),
                                                    std::free);
  if (status != 0) throw std::runtime_error(std::string("no name for the type ") + type.name());
  std::string text = name.get();
  if (text.find("{lambda") != std::string::npos || text.find("'lambda") != std::string::npos)
    throw std::runtime_error("a lambda cannot be shipped, it has no name: " + text);
  remove_all(text, "(anonymous namespace)::");
  return text;
}

void DeviceCode::launch(sycl::queue& queue, const Shipment& shipment) {
  const std::string type = spelled_type(shipment.type);
  if (rehearsing_ || !functors_.contains(type)) note(shipment, type);
  if (rehearsing_) return;
  const Functor& functor = functors_.at(type);
  if (!functor.kernel) compile_source(queue, functor.source);
  run(queue, functor, shipment);
}

void DeviceCode::note(const Shipment& shipment, const std::string& type) {
  Functor& functor = functors_[type];
  if (functor.entry.empty()) functor.entry = "bcr_entry_" + std::to_string(functors_.size());
  functor.source = place_in_tree(shipment.source);
  functor.type = type;
  functor.size = shipment.size;
  functor.teams = shipment.launch.teams;
  functor.local_bytes =
      std::max(functor.local_bytes, shipment.launch.reduction_bytes + shipment.launch.scratch_bytes[0]);
}

std::string DeviceCode::text_of(const std::string& source) const {
  std::string text = "#include <tests/sycl/device_entry.hpp>\n#include <" + source + ">\n";
  for (const auto& [type, functor] : functors_) {
    if (functor.source != source) continue;
    const std::string name = "Functor_" + functor.entry;
    text += "using " + name + " = " + type + ";\nstatic_assert(sizeof(" + name +
            ") == " + std::to_string(functor.size) + ", \"host and device disagree about a functor\");\n";
    text += "extern \"C\" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((sycl::ext::oneapi::experimental::nd_range_kernel<" +
            std::string(functor.teams ? "2" : "1") + ">)) void " + functor.entry;
    if (functor.teams) {
      text +=
          "(const void* functor, char* level_1, std::size_t reduction, std::size_t scratch_0, std::size_t scratch_1) "
          "{\n"
          "  bcr::sycl_check::run_team<" +
          name + ", " + std::to_string(functor.local_bytes) +
          ">(functor, level_1, reduction, scratch_0, scratch_1);\n}\n";
    } else {
      text += "(const void* functor, std::size_t begin, std::size_t end) {\n  bcr::sycl_check::run_range<" + name +
              ">(functor, begin, end);\n}\n";
    }
  }
  return text;
}

void DeviceCode::compile(const sycl::queue& queue) {
  std::set<std::string> sources;
  for (const auto& [type, functor] : functors_) sources.insert(functor.source);
  for (const std::string& source : sources) compile_source(queue, source);
  rehearsing_ = false;
}

void DeviceCode::compile_source(const sycl::queue& queue, const std::string& source) {
  std::fprintf(stderr, "compiling for the device: %s\n", source.c_str());
  const std::string text = text_of(source);
  std::string log;
  try {
    auto bundle =
        experimental::create_kernel_bundle_from_source(queue.get_context(), experimental::source_language::sycl, text);
    auto built = experimental::build(
        bundle, experimental::properties{experimental::build_options{options_}, experimental::save_log{&log}});
    for (auto& [type, functor] : functors_)
      if (functor.source == source) functor.kernel = built.ext_oneapi_get_kernel(functor.entry);
  } catch (const sycl::exception& error) {
    throw std::runtime_error("the run-time compiler refuses " + source + ":\n" + error.what() + "\n" + log +
                             "\nThe text it was given:\n" + text);
  }
}

void DeviceCode::run(sycl::queue& queue, const Functor& functor, const Shipment& shipment) {
  const Launch& launch = shipment.launch;
  const Usm bytes = usm(queue, shipment.size);
  std::memcpy(bytes.get(), shipment.bytes, shipment.size);
  const Usm level_1 = usm(queue, launch.scratch_bytes[1] * (launch.teams ? launch.count : 0));
  queue.submit([&](sycl::handler& handler) {
    if (launch.teams) {
      handler.set_args(static_cast<void*>(bytes.get()), level_1.get(), launch.reduction_bytes, launch.scratch_bytes[0],
                       launch.scratch_bytes[1]);
      handler.parallel_for(sycl::nd_range<2>({launch.team_size, launch.count}, {launch.team_size, 1}), *functor.kernel);
    } else {
      handler.set_args(static_cast<void*>(bytes.get()), launch.begin, launch.begin + launch.count);
      const std::size_t groups = (launch.count + range_group - 1) / range_group;
      handler.parallel_for(sycl::nd_range<1>(groups * range_group, range_group), *functor.kernel);
    }
  });
  queue.wait_and_throw();
  ++launches_;
}

void set_device_code(DeviceCode* const code) {
  current = code;
}

void ship(sycl::queue& queue, const Shipment& shipment) {
  if (current == nullptr) throw std::runtime_error("a kernel was launched before the device code was set");
  current->launch(queue, shipment);
}

}  // namespace bcr::sycl_check
