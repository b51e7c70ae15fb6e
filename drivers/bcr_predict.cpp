// bcr-predict: says of pictures or texts which known class they are of, or that they are of none.
#include "src/app/run_main.hpp"
#include "src/predict/predict_command.hpp"

int main(int argc, char** argv) {
  bcr::predict::PredictCommand command;
  return bcr::app::run_main(
      argc, argv,
      {.name = "bcr-predict",
       .summary = "Says of pictures or texts which known class they are of, or \"unknown\", from a checkpoint alone.",
       .footer = "bcr-predict runs/first photo.jpg holiday/ > answers.csv\n"
                 "find . -name '*.png' | bcr-predict runs/first/checkpoint-best.h5 - --format jsonl --alpha 0.01\n"
                 "A picture that cannot be read is a line with its error; the exit code is 3 then.",
       .declare = [&](CLI::App& parser) { command.declare(parser); },
       .run =
           [&](bcr::app::Session& session) {
             if (!session.communicator().is_root()) return bcr::app::ExitCode::done;
             return command.run(session.log()) == 0 ? bcr::app::ExitCode::done : bcr::app::ExitCode::data;
           }});
}
