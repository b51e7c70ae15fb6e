// bcr-table: a table of the paper, from published data to a page with the paper's values beside ours.
#include "src/app/run_main.hpp"
#include "src/table/table_command.hpp"

int main(int argc, char** argv) {
  bcr::app::ConfigOptions config;
  bcr::table::TableCommand command;
  return bcr::app::run_main(
      argc, argv,
      {.name = "bcr-table",
       .summary = "Plans all runs of a table of the paper, says what they will cost here and which data are missing, does\n"
                  "or resumes them, and writes the table as text, CSV, LaTeX and a page, the paper's values beside ours.",
       .footer = "bcr-table 1 --only cifar10 --scale small      with cifar-10-batches-bin and cifar-100-binary here\n"
                 "bcr-table 1 --data ~/data --dry-run           plan, cost, missing files\n"
                 "bcr-table 6 --data ~/data --available         without the sets that are not there\n"
                 "bcr-table 2 --scale full --slurm job.sh --slurm.partition=gpu\n"
                 "A run that was stopped goes on with the same command. Dotted options are laid over every training.",
       .declare = [&](CLI::App& parser) { command.declare(parser); },
       .config = &config,
       .on_signal = bcr::app::OnSignal::finish_step,
       .run =
           [&](bcr::app::Session& session) {
             const auto stop = [&session] { return session.stop_requested(); };
             const auto outcome = command.run(config.load(), {session.log(), stop});
             if (outcome == bcr::table::Outcome::stopped) return bcr::app::ExitCode::stopped;
             return outcome == bcr::table::Outcome::done ? bcr::app::ExitCode::done : bcr::app::ExitCode::failed;
           }});
}
