#include "src/optim/registry.hpp"
#include "tests/support/data_folder.hpp"
#include "tests/support/tolerance.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <string>
#include <vector>

// Trajectories of PyTorch's optimisers in double (scripts/make_optimiser_case.py): the stored gradients are replayed.
namespace {

using namespace bcr::optim;
using Host = Kokkos::DefaultHostExecutionSpace;
using HostVector = bcr::Vector<double, Host>;

HostVector to_view(const std::vector<double>& values) {
  HostVector view("bcr::test::values", values.size());
  for (std::size_t i = 0; i < values.size(); ++i) view(i) = values[i];
  return view;
}

ParameterLayout layout_of(const nlohmann::json& document) {
  ParameterLayout layout;
  for (std::size_t i = 0; i < document.at("sizes").size(); ++i) {
    const std::size_t size = document.at("sizes")[i];
    const auto& group = document.at("groups")[i];
    layout.slices.push_back({"p" + std::to_string(i), layout.arena_size, size, "g" + std::to_string(i)});
    layout.groups.push_back({"g" + std::to_string(i), group.at("rate_multiplier"), group.at("weight_decay"), 0.9});
    layout.arena_size += size;
  }
  return layout;
}

TEST(OptimizerOfPeers, FollowsTheTrajectoriesOfPyTorch) {
  std::ifstream file(bcr::test::data_folder + "optimiser_case.json");
  const auto document = nlohmann::json::parse(file);
  ASSERT_EQ(document.at("traces").size(), all_optimizers().entries().size());
  for (const auto& trace : document.at("traces")) {
    SCOPED_TRACE(trace.at("name").get<std::string>());
    const auto optimizer = make_optimizer<Host, double>(trace.at("name").get<std::string>(), layout_of(document));
    const HostVector params = to_view(trace.at("start"));
    ASSERT_EQ(trace.at("steps").size(), 25u);

    for (const auto& step : trace.at("steps")) {
      optimizer->step(Host{}, step.at("rate").get<double>(), to_view(step.at("gradient")), params);
      Kokkos::fence();
      const std::vector<double> expected = step.at("parameters");
      for (std::size_t i = 0; i < expected.size(); ++i) {
        ASSERT_NEAR(params(i), expected[i], bcr::test::tolerance::optimiser_trajectory);
      }
    }
  }
}

}  // namespace
