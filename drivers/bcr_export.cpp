// bcr-export: takes a trained model out of the programs, as one file that other run times read.
#include "src/app/run_main.hpp"
#include "src/onnx/export_command.hpp"

int main(int argc, char** argv) {
  bcr::onnx::ExportCommand command;
  return bcr::app::run_main(
      argc, argv,
      {.name = "bcr-export",
       .summary = "Writes a trained model, from bytes to a known class or \"unknown\", as one ONNX file.",
       .footer = "bcr-export runs/first -o first.onnx\n"
                 "bcr-export runs/first/checkpoint-best.h5 -o first.onnx --alpha 0.01 --scores max_softmax,energy",
       .declare = [&](CLI::App& parser) { command.declare(parser); },
       .run =
           [&](bcr::app::Session& session) {
             if (session.communicator().is_root()) command.run(session.log());
             return bcr::app::ExitCode::done;
           }});
}
