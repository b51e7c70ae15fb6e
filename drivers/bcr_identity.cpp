#include "src/app/run_main.hpp"
#include "src/identity/report.hpp"

#include <fmt/format.h>

int main(int argc, char** argv) {
  bcr::identity::ReportOptions options;
  return bcr::app::run_main(
      argc, argv,
      {.name = "bcr-identity",
       .summary = "Shows whether this machine computes the same bits: runs strict kernels on fixed inputs, on every\n"
                  "execution space of this build, and prints one SHA-256 each as CSV.",
       .footer = "Example: bcr-identity --golden tests/identity/golden.txt --kokkos-num-threads=3\n"
                 "fails with exit code 1 if any digest differs.",
       .declare =
           [&](CLI::App& parser) {
             parser.add_option("--golden", options.golden, "compare with the digests in this file")->type_name("FILE");
             parser.add_option("--subjects", options.prefix, "only subjects whose name starts so")->type_name("PREFIX");
             parser.add_flag("--print-golden", options.print_golden, "print a file of golden digests instead of CSV");
           },
       .run =
           [&](bcr::app::Session& session) {
             const auto report = bcr::identity::make_report(options);
             fmt::print("{}", report.text);
             if (report.differing == 0) return bcr::app::ExitCode::done;
             session.log().error("identity", "{} of {} digests differ", report.differing, report.compared);
             return bcr::app::ExitCode::failed;
           }});
}
