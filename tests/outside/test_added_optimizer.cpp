#include "src/optim/registry.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using namespace bcr;
using namespace bcr::optim;
using Exec = Kokkos::DefaultHostExecutionSpace;

/// p -= rate sign(g)
template <class Exec, class T>
class SignDescent final : public Optimizer<Exec, T> {
 public:
  explicit SignDescent(ParameterLayout layout) : Optimizer<Exec, T>(std::move(layout), {}) {}
  std::string_view name() const override { return "sign"; }

 private:
  struct Update {
    ConstVector<T, Exec> gradient;
    Vector<T, Exec> params;
    T rate;
    KOKKOS_FUNCTION void operator()(const int i) const { params(i) -= gradient(i) > 0 ? rate : -rate; }
  };
  void update(const Exec& exec, const double rate, ConstVector<T, Exec> diff_params, Vector<T, Exec> params) override {
    Kokkos::parallel_for("bcr::tests::sign_descent", Kokkos::RangePolicy<Exec>(exec, 0, params.extent(0)),
                         Update{diff_params, params, T(rate)});
  }
};

struct MakeSignDescent {
  template <class Exec, class T>
  static std::unique_ptr<Optimizer<Exec, T>> make(ParameterLayout layout) {
    return std::make_unique<SignDescent<Exec, T>>(std::move(layout));
  }
};

TEST(AddedOptimizer, IsMadeByItsNameAndUpdates) {
  all_optimizers().add({"sign", "steps of one length", PerInstance<OptimizerMaker>::of<MakeSignDescent>()});
  const auto optimizer = make_optimizer<Exec, float>("sign", {2, {{"p", 0, 2, "all"}}, {{.name = "all"}}});
  Vector<float, Exec> params("params", 2), gradient("gradient", 2);
  params(0) = params(1) = 1;
  gradient(0) = 8;
  gradient(1) = -3;

  optimizer->step(Exec(), 0.25, gradient, params);
  Exec().fence();

  EXPECT_THAT(all_optimizers().names(), ::testing::Contains("sign"));
  EXPECT_EQ(params(0), 0.75f);
  EXPECT_EQ(params(1), 1.25f);
}

}  // namespace
