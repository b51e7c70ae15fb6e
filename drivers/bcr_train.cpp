// bcr-train: trains an open-set classifier from a configuration; stops and resumes without changing a bit.
#include "src/app/run_main.hpp"
#include "src/train/commands/train_command.hpp"
#include "src/train/trainer.hpp"

int main(int argc, char** argv) {
  bcr::app::ConfigOptions config;
  bcr::train::TrainCommand command;
  return bcr::app::run_main(
      argc, argv,
      {.name = "bcr-train",
       .summary = "Trains an open-set classifier with background-class regularization.",
       .footer = "bcr-train --config c.toml --out runs/first\n"
                 "bcr-train --config c.toml --train.lr=0.05 --loss.lambda=1 --seed 7 --mode fast --out runs/second\n"
                 "bcr-train --config c.toml --out runs/first --resume auto     (after a stop: the same bits)\n"
                 "mpirun -n 4 bcr-train --config c.toml --train.shards=4 --out runs/four     (1, 2, 4 ranks: same bits)\n"
                 "bcr-train --template own-images     prints a commented configuration to begin with\n"
                 "bcr-train --print-config     lists and explains every key",
       .declare = [&](CLI::App& parser) { command.declare(parser); },
       .config = &config,
       .on_signal = bcr::app::OnSignal::finish_step,
       .run =
           [&](bcr::app::Session& session) {
             const auto stop = [&session] { return session.stop_requested(); };
             const auto outcome = command.run(config.load(), {session.log(), session.communicator(), stop});
             return outcome == bcr::train::Outcome::done ? bcr::app::ExitCode::done : bcr::app::ExitCode::stopped;
           }});
}
