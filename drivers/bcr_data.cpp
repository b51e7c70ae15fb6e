// bcr-data: imports published data sets into one HDF5 form and says what is in a file.
#include "io/commands/data_command.hpp"
#include "src/app/run_main.hpp"

int main(int argc, char** argv) {
  bcr::io::DataCommand command;
  return bcr::app::run_main(
      argc, argv,
      {.name = "bcr-data",
       .summary = "Imports data sets in their published form into one HDF5 form, and says what is in a file.",
       .footer = "bcr-data import fashion-mnist /usr/share/datasets/fashion-mnist --part train -o fashion-train.h5\n"
                 "bcr-data info fashion-train.h5 --preview fashion-train.png",
       .declare = [&command](CLI::App& parser) { command.declare(parser); },
       .run =
           [&command](bcr::app::Session& session) {
             command.run(session.log());
             return bcr::app::ExitCode::done;
           }});
}
