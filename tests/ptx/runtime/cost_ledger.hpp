#ifndef BCR_TESTS_PTX_RUNTIME_COST_LEDGER_HPP
#define BCR_TESTS_PTX_RUNTIME_COST_LEDGER_HPP

#include "tests/ptx/runtime/loaded_program.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace bcr::test::ptx {

/// What the launches of a program cost, counted on some blocks of each. Results are then those of these blocks alone.
class CostLedger {
 public:
  struct Row {
    std::string label;   ///< that the launcher gave to Kokkos
    std::string kernel;  ///< as PTX names it
    std::string_view text;
    Launch launch;
    std::size_t static_shared = 0;
    int launches = 0;
    Counts counts;  ///< of the blocks that ran, of one launch

    /// Of the whole grid, from a count of the blocks that ran.
    double whole(std::uint64_t count) const;
  };

  static CostLedger& instance();

  /// From now on at most about so many blocks of a launch are run, and memory is left as the system gives it. Before the
  /// first allocation.
  void sample(std::size_t most_blocks);
  bool samples() const { return most_blocks_ > 0; }
  /// From now on launches are written down.
  void open() { is_open_ = true; }
  void set_label(std::string label) { label_ = std::move(label); }

  void launch(LoadedProgram& program, const void* stub, const Launch& launch, const void* const* arguments);
  /// cudaMemset: the device's own kernel.
  void fill(std::size_t bytes);

  /// Launches that differ in nothing but where their arrays lie share a row; in order of the first.
  const std::vector<Row>& rows() const { return rows_; }
  std::vector<Row> take_rows();
  /// launches.csv, and the PTX of every object that was used: unit-0.ptx, ...
  void write(const std::filesystem::path& folder) const;

 private:
  std::string key_of(const Program& program, const Launch& launch, const void* const* arguments) const;

  std::size_t most_blocks_ = 0;
  bool is_open_ = false;
  std::string label_;
  std::vector<Row> rows_;
  std::map<std::string, std::size_t> row_of_;
};

}  // namespace bcr::test::ptx

#endif
