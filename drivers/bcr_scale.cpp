// bcr-scale: times training steps, from one point to a study over threads, ranks and sizes, compares and joins tables.
#include "src/app/run_main.hpp"
#include "src/scale/scale_command.hpp"

int main(int argc, char** argv) {
  bcr::app::ConfigOptions config;
  bcr::scale::ScaleCommand command;
  return bcr::app::run_main(
      argc, argv,
      {.name = "bcr-scale",
       .summary =
           "Times training, inference, heads and losses on noise: one point, or a study over threads, ranks and sizes.",
       .footer = "bcr-scale run --depth 16 --width 4 --batch 256 --mode fast --kokkos-num-threads=2\n"
                 "bcr-scale study --config configs/studies/two-cores.toml --out scaling     (goes on after a stop)\n"
                 "bcr-scale study --config configs/studies/two-cores.toml --out scaling --sbatch job.sh\n"
                 "bcr-scale compare before/study.csv after/study.csv     (exit code 1 if something got slower)\n"
                 "bcr-scale merge a/study.csv b/study.csv peers.csv -o campaign     (performance portability)",
       .declare = [&](CLI::App& parser) { command.declare(parser); },
       .config = &config,
       .on_signal = bcr::app::OnSignal::finish_step,
       .run =
           [&](bcr::app::Session& session) {
             const bcr::Config given = config.load();
             const auto stop = [&session] { return session.stop_requested(); };
             const auto outcome = command.run({given, session.communicator(), session.log(), stop});
             return outcome == bcr::scale::Outcome::done ? bcr::app::ExitCode::done : bcr::app::ExitCode::failed;
           }});
}
