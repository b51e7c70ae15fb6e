// bcr-verify: whether the files of a run are what was written, say the same of each other, and can be computed again.
#include "src/app/run_main.hpp"
#include "src/train/commands/verify_command.hpp"

int main(int argc, char** argv) {
  bcr::app::ConfigOptions config;
  bcr::train::VerifyCommand command;
  return bcr::app::run_main(
      argc, argv,
      {.name = "bcr-verify",
       .summary =
           "Reads every file of a run to the last byte and compares what they say of each other: manifest, log,\n"
           "configuration, checkpoints, scores, metrics, and the data files where they still are. Computes parts\n"
           "of the training again, if asked to, and compares the bits.",
       .footer = "bcr-verify runs/first       one line for each statement: ok, BAD, or ? where it cannot be told\n"
                 "bcr-verify runs/first --replay 3 --data.known_train=here.h5     writes runs/first/receipt.json\n"
                 "bcr-verify --receipt runs/first/receipt.json runs/first\n"
                 "The exit code is 3 if anything is BAD.",
       .declare = [&](CLI::App& parser) { command.declare(parser); },
       .config = &config,
       .run =
           [&](bcr::app::Session& session) {
             command.run(config.load(), session.log(), session.communicator());
             return bcr::app::ExitCode::done;
           }});
}
