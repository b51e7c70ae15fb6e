// bcr-report: one HTML page of one or several runs, and its plots as SVG files.
#include "src/app/run_main.hpp"
#include "src/report/report.hpp"

#include <fmt/format.h>

int main(int argc, char** argv) {
  bcr::report::ReportOptions options;
  return bcr::app::run_main(
      argc, argv,
      {.name = "bcr-report",
       .summary = "Makes one HTML page of a run, or of several side by side, with curves, histograms, examples and the\n"
                  "paper's numbers. The page needs no network; its plots are also written as SVG files.",
       .footer = "bcr-report runs/first                       writes runs/first/report.html and report/*.svg\n"
                 "bcr-report runs/* --out comparison          one page with all runs, in comparison/",
       .declare =
           [&](CLI::App& parser) {
             parser.add_option("RUN", options.runs, "run directories, as bcr-train and bcr-eval fill them")->required();
             parser.add_option("--out", options.out,
                               "directory for report.html and report/*.svg; default: the run directory of a single "
                               "run, else the current one")
                 ->type_name("DIR");
           },
       .run =
           [&](bcr::app::Session& session) {
             const auto result = bcr::report::write_report(options);
             fmt::print("{}\n{}\n", result.table, result.page.string());
             session.log().info("report", "{} plots in {}", result.plots, (result.page.parent_path() / "report").string());
             return bcr::app::ExitCode::done;
           }});
}
