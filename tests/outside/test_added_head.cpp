#include "models/model.hpp"
#include "tests/support/host_matrix.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using namespace bcr;
using namespace bcr::models;
using Exec = Kokkos::DefaultHostExecutionSpace;

/// outputs(i, c) = w_c f_c(i), one feature for each class; w = 0 at start.
template <class Exec, class T>
class DiagonalHead final : public Head<Exec, T> {
 public:
  DiagonalHead(nn::ParameterStore<Exec, T>& parameters, const HeadShape& shape)
      : Head<Exec, T>(shape.features, shape.columns), parameters_(parameters) {
    weights_ = parameters.add(
        {.name = "head.diagonal", .extents = {std::size_t(shape.columns)}, .initial = {nn::Fill::zero, 1}});
  }

  std::string_view name() const override { return "diagonal"; }
  HeadOutputs outputs() const override { return HeadOutputs::logits; }
  void forward(const Exec& exec, ConstMatrix<T, Exec> features, Matrix<T, Exec> outputs) override {
    const Vector<T, Exec> weights = parameters_.values(weights_);
    Kokkos::parallel_for(
        "bcr::tests::diagonal", Kokkos::RangePolicy<Exec>(exec, 0, outputs.extent(0)), KOKKOS_LAMBDA(const int i) {
          for (int c = 0; c < outputs.extent_int(1); ++c) outputs(i, c) = weights(c) * features(i, c);
        });
  }
  void backward(const Exec&, ConstMatrix<T, Exec>, ConstMatrix<T, Exec>, kernels::ChainStart,
                Matrix<T, Exec>) override {
    FAIL() << "nobody trains here";
  }

 private:
  const nn::ParameterStore<Exec, T>& parameters_;
  int weights_ = 0;
};

struct MakeDiagonalHead {
  template <class Exec, class T>
  static std::unique_ptr<Head<Exec, T>> make(const HeadOptions&, nn::ParameterStore<Exec, T>& parameters,
                                             const HeadShape& shape, nn::Mode) {
    return std::make_unique<DiagonalHead<Exec, T>>(parameters, shape);
  }
};

TEST(AddedHead, StandsBehindABackbone) {
  all_heads().add({.name = "diagonal",
                   .explanation = "one feature for each class",
                   .outputs = HeadOutputs::logits,
                   .make = PerInstance<HeadMaker>::of<MakeDiagonalHead>()});
  const auto options = Config::parse("name = 'vgg'\n[head]\nname = 'diagonal'").read<ModelOptions>();
  Model<Exec, float> model(options, {{8, 8, 1}, 3}, {.mode = nn::Mode::strict, .inference_images = 2}, 1, Exec(),
                           Log(LogLevel::off));
  Kokkos::deep_copy(Vector<float, Exec>(model.parameters().values().data() + model.head_begin(), 3), 2.f);
  const Tensor4<float, Exec> images("images", 2, 8, 8, 1);
  Kokkos::deep_copy(images, 0.5f);

  const auto result = model.forward(Exec(), {nn::Phase::inference, 1, 0}, images);
  Exec().fence();

  EXPECT_EQ(model.output_kind(), HeadOutputs::logits);
  for (int c = 0; c < 3; ++c) EXPECT_EQ(result.matrix("logits")(1, c), 2 * result.matrix("features")(1, c));
}

}  // namespace
