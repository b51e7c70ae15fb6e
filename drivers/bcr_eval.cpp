// bcr-eval: scores a trained model on known and unknown test images.
#include "src/app/run_main.hpp"
#include "src/train/commands/eval_command.hpp"

int main(int argc, char** argv) {
  bcr::app::ConfigOptions config;
  bcr::train::EvalCommand command;
  return bcr::app::run_main(
      argc, argv,
      {.name = "bcr-eval",
       .summary = "Scores a trained model on known and unknown test images: every score and every metric.",
       .footer = "bcr-eval runs/first     (what is there already stays: --out elsewhere, or --overwrite)\n"
                 "bcr-eval runs/first --checkpoint runs/first/checkpoint-best.h5 --reference\n"
                 "bcr-eval runs/first --data.split=other.toml --data.unknown_test='[\"lsun.h5\", \"isun.h5\"]'",
       .declare = [&](CLI::App& parser) { command.declare(parser); },
       .config = &config,
       .run =
           [&](bcr::app::Session& session) {
             command.run(config.load(), session.log(), session.communicator());
             return bcr::app::ExitCode::done;
           }});
}
