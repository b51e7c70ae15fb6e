#include "losses/registry.hpp"
#include "models/heads/registry.hpp"
#include "tests/support/data_folder.hpp"
#include "tests/support/exec_spaces.hpp"
#include "tests/support/host_matrix.hpp"
#include "tests/support/tolerance.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <string>
#include <vector>

// Heads and losses together against PyTorch's autograd in double (scripts/make_loss_cases.py).
namespace bcr::test {
namespace {

using losses::LossPart;

template <class T>
HostMatrix<T> matrix_of(const nlohmann::json& rows, const int columns) {
  HostMatrix<T> matrix(static_cast<int>(rows.size()), columns);
  for (int i = 0; i < matrix.rows; ++i)
    for (int j = 0; j < columns; ++j) matrix(i, j) = rows.at(i).at(j).get<T>();
  return matrix;
}

losses::LossOptions options_of(const nlohmann::json& json) {
  losses::LossOptions options;
  options.name = json.at("loss");
  const auto& given = json.at("options");
  options.logit_scale = given.value("logit_scale", 1.0);
  if (given.contains("inclusion"))
    options.inclusion.terms =
        given["inclusion"]["terms"] == "known" ? losses::InclusionTerms::known : losses::InclusionTerms::unknown;
  if (given.contains("triplet")) {
    options.triplet.margin = given["triplet"].value("margin", 1.0);
    if (given["triplet"].contains("distance")) options.triplet.distance = losses::TripletDistance::squared;
  }
  if (given.contains("objectosphere"))
    options.objectosphere = {given["objectosphere"]["xi"], given["objectosphere"]["ring_weight"]};
  if (given.contains("energy")) options.energy = {given["energy"]["m_in"], given["energy"]["m_out"]};
  return options;
}

template <class Exec, class T>
struct PeerCase {
  explicit PeerCase(const nlohmann::json& json_)
      : json(json_),
        n(json.at("features")),
        rows(json.at("known").get<int>() + json.at("background").get<int>()),
        options(options_of(json)),
        columns(losses::output_columns(options, json.at("classes"))),
        store(nn::Gradients::kept),
        head(models::make_head<Exec, T>({.name = json.at("head"), .bias = true}, store, n, columns, rows)),
        loss(losses::make_loss<Exec, T>(options, {head->outputs(), json.at("classes"), n, rows})),
        features(to_device<Exec>(matrix_of<T>(json.at("input").at("features"), n))),
        labels(to_device<Exec>(json.at("input").at("labels").get<std::vector<std::int32_t>>())),
        outputs("bcr::tests::outputs", rows, columns),
        diff_outputs("bcr::tests::diff_outputs", rows, columns),
        diff_features("bcr::tests::diff_features", rows, n),
        parts("bcr::tests::parts", losses::loss_part_count) {
    store.allocate(exec, 1);
    exec.fence();
    for (std::size_t id = 0; id < store.slices().size(); ++id) {
      const auto values = matrix_of<T>(json.at("input").at(key_of(id)), width_of(id));
      Kokkos::deep_copy(store.values(static_cast<int>(id)), to_device<Exec>(values.entries));
    }
  }

  /// "head.anchors" is "anchors" in the file.
  std::string key_of(const std::size_t id) const { return store.slices()[id].name.substr(5); }
  int width_of(const std::size_t id) const { return store.specs()[id].extents.size() == 2 ? n : 1; }

  losses::LossParts run() {
    head->forward(exec, features, outputs);
    nn::Tensors<Exec, T> tensors, gradients;
    tensors.set("features", features);
    tensors.set(kernels::tensor_name(head->outputs()), outputs);
    gradients.set("features", diff_features);
    gradients.set(kernels::tensor_name(head->outputs()), diff_outputs);
    loss->evaluate(exec, {.tensors = tensors, .labels = labels, .lambda = json.at("lambda")}, gradients, parts);
    head->backward(exec, features, diff_outputs,
                   loss->reads_features() ? kernels::ChainStart::dst : kernels::ChainStart::zero, diff_features);
    return losses::read_parts<Exec>(exec, parts);
  }

  void expect(const std::string& key, const std::vector<T>& found) const {
    std::vector<double> expected;
    for (const auto& row : json.at("expected").at(key))
      for (const auto& entry : row) expected.push_back(entry);
    ASSERT_EQ(found.size(), expected.size()) << key;
    double largest = 0;
    for (const double entry : expected) largest = std::max(largest, std::abs(entry));
    for (std::size_t k = 0; k < found.size(); ++k)
      ASSERT_NEAR(found[k], expected[k], tolerance_of_case() * (largest + 1e-3)) << key << " " << k;
  }

  double tolerance_of_case() const {
    const double peer = options.name == "class_inclusion" ? tolerance::torch_gammainc : 0;
    return tolerance::head_and_loss<T>() + peer;
  }

  Exec exec;
  nlohmann::json json;
  int n, rows;
  losses::LossOptions options;
  int columns;
  nn::ParameterStore<Exec, T> store;
  std::unique_ptr<models::Head<Exec, T>> head;
  std::unique_ptr<losses::Loss<Exec, T>> loss;
  Matrix<T, Exec> features;
  Labels<Exec> labels;
  Matrix<T, Exec> outputs, diff_outputs, diff_features;
  Vector<double, Exec> parts;
};

template <class Exec, class T>
void expect_peer_results() {
  std::ifstream file(data_folder + "loss_cases.json");
  const auto document = nlohmann::json::parse(file);
  ASSERT_GE(document.at("cases").size(), 20u);
  for (const auto& json : document.at("cases")) {
    SCOPED_TRACE(json.at("loss").get<std::string>() + " " + json.at("options").dump());
    PeerCase<Exec, T> problem(json);

    const losses::LossParts parts = problem.run();

    const auto near = [&](const LossPart part, const char* const key) {
      const double value = json.at("expected").at(key);
      EXPECT_NEAR(parts[part], value, problem.tolerance_of_case() * (1 + std::abs(value))) << key;
    };
    near(LossPart::total, "total");
    near(LossPart::classification, "classification");
    near(LossPart::background_known, "background_known");
    near(LossPart::background_unknown, "background_unknown");
    problem.expect("outputs", to_host(problem.outputs));
    problem.expect("diff_features", to_host(problem.diff_features));
    for (std::size_t id = 0; id < problem.store.slices().size(); ++id)
      problem.expect("diff_" + problem.key_of(id), to_host(problem.store.gradients(static_cast<int>(id))));
  }
}

template <class Exec>
class LossesOfPeers : public ::testing::Test {};
TYPED_TEST_SUITE(LossesOfPeers, ExecSpaces);

TYPED_TEST(LossesOfPeers, AgreeInDouble) {
  expect_peer_results<TypeParam, double>();
}

TYPED_TEST(LossesOfPeers, AgreeInFloat) {
  expect_peer_results<TypeParam, float>();
}

}  // namespace
}  // namespace bcr::test
