// Subjects of src/identity on a SYCL device: prints `subject,sha256,equal`, where equal says whether the device has the
// bits of the host (Kokkos::Serial in this same program) and of the golden file, if that knows the subject.
#include "src/identity/report.hpp"
#include "src/identity/subject.hpp"
#include "tests/sycl/device_code.hpp"

#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

namespace {

using bcr::sycl_check::DeviceCode;

struct Options {
  std::string golden;
  std::string prefix;
  std::vector<std::string> compiler = {BCR_DEVICE_OPTIONS};
};

/// Unknown words go to the run-time compiler, in front of the rest: -ffp-contract=off, -Ifolder/with/a/mutant.
Options read_options(const int argc, char** const argv) {
  Options options;
  std::vector<std::string> given;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word.starts_with("--golden="))
      options.golden = word.substr(9);
    else if (word.starts_with("--subjects="))
      options.prefix = word.substr(11);
    else
      given.emplace_back(word);
  }
  options.compiler.insert(options.compiler.begin(), given.begin(), given.end());
  return options;
}

/// How many subjects differ.
int compare(const Options& options, DeviceCode& code) {
  const auto golden = options.golden.empty() ? bcr::identity::Golden() : bcr::identity::read_golden(options.golden);
  const auto on_host = bcr::identity::subjects_starting_with<Kokkos::Serial>(options.prefix);
  const auto on_device = bcr::identity::subjects_starting_with<Kokkos::SYCL>(options.prefix);
  const Kokkos::Serial host;
  const Kokkos::SYCL device;
  for (const auto& subject : on_device) subject.digest(device);  // the rehearsal
  code.compile(device.sycl_queue());

  int differing = on_device.empty();
  std::printf("subject,sha256,equal\n");
  for (std::size_t i = 0; i < on_device.size(); ++i) {
    const std::size_t before = code.launches();
    const std::string found = on_device[i].digest(device);
    const bool ran = code.launches() > before;
    const auto expected = golden.find(on_device[i].name);
    const bool equal =
        ran && found == on_host[i].digest(host) && (expected == golden.end() || found == expected->second);
    differing += !equal;
    std::printf("%s,%s,%s\n", on_device[i].name.c_str(), found.c_str(), equal ? "yes" : "no");
    std::fflush(stdout);
  }
  return differing;
}

int run(const int argc, char** const argv) {
  const Options options = read_options(argc, argv);
  DeviceCode code(options.compiler, DeviceCode::Compile::after_rehearsal);
  bcr::sycl_check::set_device_code(&code);
  const Kokkos::ScopeGuard kokkos;
  const sycl::device device = Kokkos::SYCL().sycl_queue().get_device();
  std::fprintf(stderr, "device: %s, %s\n", device.get_info<sycl::info::device::name>().c_str(),
               device.get_platform().get_info<sycl::info::platform::name>().c_str());
  const int differing = compare(options, code);
  std::fprintf(stderr, "%zu functors, %zu launches on the device, %d subjects differ\n", code.functors(),
               code.launches(), differing);
  return differing == 0 ? 0 : 1;
}

}  // namespace

int main(const int argc, char** const argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
