#include "bench/support/program.hpp"

#include "src/core/atomic_file.hpp"
#include "src/core/build_info.hpp"
#include "src/core/csv.hpp"
#include "src/core/error.hpp"
#include "src/core/machine_info.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string_view>

namespace bcr::bench {
namespace {

constexpr int usage_error = 2;

/// Shows runs as asked for and keeps their counters.
class Collector : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context& context) override {
    shown_->SetOutputStream(&GetOutputStream());
    shown_->SetErrorStream(&GetErrorStream());
    return shown_->ReportContext(context);
  }
  void ReportRuns(const std::vector<Run>& runs) override {
    shown_->ReportRuns(runs);
    for (const Run& run : runs)
      for (const auto& [metric, counter] : run.counters)
        rows_.push_back(csv_field(run.benchmark_name()) + "," + csv_field(metric) + "," + fmt::format("{}", counter.value));
  }
  void Finalize() override { shown_->Finalize(); }

  const std::vector<std::string>& rows() const { return rows_; }

 private:
  std::unique_ptr<benchmark::BenchmarkReporter> shown_{benchmark::CreateDefaultDisplayReporter()};
  std::vector<std::string> rows_;
};

/// Removes `--name VALUE` or `--name=VALUE` from the command line.
std::string take(const std::string_view name, int& argc, char** argv, const std::string& otherwise) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    const bool joined = word.starts_with(name) && word.substr(name.size()).starts_with('=');
    if (!joined && (word != name || i + 1 == argc)) continue;
    const std::string value(joined ? word.substr(name.size() + 1) : argv[i + 1]);
    const int words = joined ? 1 : 2;
    std::copy(argv + i + words, argv + argc, argv + i);
    argc -= words;
    return value;
  }
  return otherwise;
}

}  // namespace

Program::Program(int& argc, char** argv)
    : name_(std::filesystem::path(argv[0]).filename()),
      space_(take("--space", argc, argv, Kokkos::DefaultExecutionSpace::name())),
      csv_(take("--csv", argc, argv, "")) {}

int Program::run(int argc, char** argv, const int concurrency) const {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return usage_error;
  Collector collector;
  if (benchmark::RunSpecifiedBenchmarks(&collector) == 0) {
    fmt::print(stderr, "{}: no benchmark has such a name\n", name_);
    return usage_error;
  }
  benchmark::Shutdown();
  if (!csv_.empty()) {
    const std::string head = csv_field(name_) + "," + csv_field(build_info().version) + "," +
                             csv_field(kokkos_info().device) + "," + space_ + "," + std::to_string(concurrency);
    std::string text = "program,version,device,space,concurrency,benchmark,metric,value\n";
    for (const std::string& row : collector.rows()) text += head + "," + row + "\n";
    try {
      write_file(csv_, text);
    } catch (const Error& error) {
      fmt::print(stderr, "{}: {}\n", name_, error.what());
      return 3;
    }
  }
  return 0;
}

int Program::refuse(const std::vector<std::string>& spaces) const {
  fmt::print(stderr, "{}: [--space] expected an execution space of this build ({}), received {}\n", name_,
             fmt::join(spaces, ", "), space_);
  return usage_error;
}

}  // namespace bcr::bench
