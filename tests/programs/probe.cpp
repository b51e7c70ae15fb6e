// A small program on run_main, for the tests of command line, configuration and exit codes.
#include "src/app/run_main.hpp"
#include "src/core/error.hpp"

#include <Kokkos_Core.hpp>
#include <fmt/format.h>

#include <chrono>
#include <string>
#include <thread>

namespace {

struct TrainOptions {
  double lr = 0.1;
  int epochs = 100;
};
template <class V>
void describe(V& v, TrainOptions& o) {
  v("lr", o.lr, "initial learning rate", bcr::must_be::positive());
  v("epochs", o.epochs, "passes over the training set", bcr::must_be::at_least(1));
}

struct ProbeOptions {
  TrainOptions train;
};
template <class V>
void describe(V& v, ProbeOptions& o) {
  v("train", o.train, "the training loop");
}

bcr::app::ExitCode fail_as(const std::string& kind) {
  if (kind == "data") throw bcr::IoError("probe", "a file", "none");
  if (kind == "numerics") throw bcr::NumericsError("probe", "a finite loss", "nan");
  throw std::runtime_error("something else");
}

/// Says so, then waits until it is asked to stop, as a training loop would between steps.
bcr::app::ExitCode wait_for_stop(const bcr::app::Session& session) {
  fmt::print("waiting\n");
  std::fflush(stdout);
  while (!session.stop_requested()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  fmt::print("stopped\n");
  return bcr::app::ExitCode::done;
}

}  // namespace

int main(int argc, char** argv) {
  bcr::app::ConfigOptions config;
  std::string fail;
  bool wait = false;
  return bcr::app::run_main(
      argc, argv,
      {.name = "probe",
       .summary = "Reads a configuration and prints it.",
       .footer = "",
       .declare =
           [&](CLI::App& parser) {
             parser.add_option("--fail", fail, "fail in this way");
             parser.add_flag("--wait", wait, "wait for a signal");
           },
       .config = &config,
       .on_signal = bcr::app::OnSignal::finish_step,
       .run =
           [&](bcr::app::Session& session) {
             const auto options = config.load().read<ProbeOptions>();
             if (!fail.empty()) return fail_as(fail);
             if (wait) return wait_for_stop(session);
             fmt::print("{}", bcr::to_toml(options));
             fmt::print("# threads = {}\n", Kokkos::DefaultHostExecutionSpace().concurrency());
             return bcr::app::ExitCode::done;
           }});
}
