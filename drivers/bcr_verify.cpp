// bcr-verify: whether the files of a run are what was written, and say the same of each other.
#include "src/app/run_main.hpp"
#include "src/core/error.hpp"
#include "src/run/verify_run.hpp"

#include <fmt/format.h>

int main(int argc, char** argv) {
  std::vector<std::filesystem::path> runs;
  return bcr::app::run_main(
      argc, argv,
      {.name = "bcr-verify",
       .summary = "Reads every file of a run to the last byte and compares what they say of each other: manifest, log,\n"
                  "configuration, checkpoints, scores, metrics, and the data files where they still are.",
       .footer = "bcr-verify runs/first       one line for each statement: ok, BAD, or ? where it cannot be told\n"
                 "The exit code is 3 if anything is BAD.",
       .declare =
           [&](CLI::App& parser) {
             parser.add_option("RUN", runs, "run directories, as bcr-train and bcr-eval fill them")->required();
           },
       .run =
           [&](bcr::app::Session&) {
             std::size_t bad = 0;
             for (const std::filesystem::path& run : runs) {
               for (const bcr::run::Finding& finding : bcr::run::verify_run(run)) {
                 using enum bcr::run::Finding::Verdict;
                 bad += finding.verdict == wrong ? 1 : 0;
                 fmt::print("{:<4} {}  {}\n", finding.verdict == right ? "ok" : finding.verdict == wrong ? "BAD" : "?",
                            finding.file, finding.text);
               }
             }
             if (bad > 0) throw bcr::IoError("verify", "files that agree", fmt::format("{} that do not", bad));
             return bcr::app::ExitCode::done;
           }});
}
