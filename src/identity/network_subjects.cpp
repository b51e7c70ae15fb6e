#include "kernels/embedding/embedding.hpp"
#include "kernels/optim/update_steps.hpp"
#include "losses/registry.hpp"
#include "models/model.hpp"
#include "src/core/instances.hpp"
#include "src/identity/digest.hpp"
#include "src/identity/inputs.hpp"
#include "src/identity/subject.hpp"

namespace bcr::identity {
namespace {

constexpr int known = 6;
constexpr int background = 5;
constexpr int classes = 4;

template <class Exec, class T>
nn::Tensors<Exec, T> make_images(const Exec& exec, const nn::ImageShape& image) {
  return fill_input<Tensor4<T, Exec>>(
      exec, "identity/network/images",
      Kokkos::LayoutRight(known + background, image.height, image.width, image.channels),
      [](Random& random) { return uniform_between<T>(random, -2, 2); });
}

/// Left-padded documents; those of the background begin two steps after the others.
template <class Exec, class T>
nn::Tensors<Exec, T> make_documents(const Exec& exec, const int steps, const int vocabulary) {
  nn::Tensors<Exec, T> inputs;
  inputs.set("tokens", fill_input<nn::Tokens<Exec>>(
                           exec, "identity/network/tokens", Kokkos::LayoutRight(known + background, steps),
                           [&](Random& random, const std::size_t at) {
                             const int i = static_cast<int>(at) / steps;
                             const int t = static_cast<int>(at) % steps;
                             if (i >= known && t < 2) return kernels::no_token;
                             return static_cast<std::int32_t>(t < 2 + i % 3 ? 1 : random.below(vocabulary));
                           }));
  return inputs;
}

/// Ten steps of a small network with dropout, the class-inclusion loss and Nesterov's momentum: what a training run is
/// made of. The digest is that of the last distances, the last gradients, the weights and the running statistics.
template <class Exec, class T>
class TenSteps {
 public:
  TenSteps(const Exec& exec, const models::BackboneOptions& backbone, const nn::ImageShape& sample,
           const nn::Tensors<Exec, T>& inputs, const double rate)
      : exec_(exec),
        rate_(static_cast<T>(rate)),
        model_({.backbone = backbone, .head = {}}, {sample, classes},
               {.mode = nn::Mode::strict, .training_images = known + background, .inference_images = 0}, 1, exec,
               Log(LogLevel::off)),
        loss_(losses::make_loss<Exec, T>(
            losses::LossOptions(),
            {.classes = classes, .features = model_.features(), .most_rows = known + background})),
        velocity_("bcr::identity::velocity", model_.parameters().values().extent(0)),
        diff_outputs_("bcr::identity::diff_outputs", known + background, classes),
        parts_("bcr::identity::parts", losses::loss_part_count),
        labels_(vector_input<std::int32_t>(
            exec, "identity/network/labels", known,
            [](Random& random) { return static_cast<std::int32_t>(random.below(classes)); })),
        inputs_(inputs) {}

  std::string digest() {
    for (std::uint32_t step = 0; step < 10; ++step) run(step);
    const auto& parameters = model_.parameters();
    return digest_of(exec_, outputs_, parts_, parameters.gradients(), parameters.values(),
                     model_.statistics().values());
  }

 private:
  void run(const std::uint32_t step) {
    const nn::PassInfo pass{nn::Phase::training, 1, step};
    const auto result = model_.forward(exec_, pass, inputs_);
    const auto features = result.matrix("features");
    outputs_ = result.matrix(model_.output_name());
    loss_->evaluate(exec_, {.outputs = outputs_, .features = features, .labels = labels_}, 5,
                    {.diff_outputs = diff_outputs_, .diff_features_factor = {}}, parts_);
    model_.backward_head(exec_, features, diff_outputs_);
    model_.backward_features(exec_, pass, inputs_);
    update();
  }

  void update() {
    const auto values = model_.parameters().values();
    const auto chunks = vector_input<kernels::ParameterChunk>(exec_, "identity/network/chunks", 1, [&](Random&) {
      return kernels::ParameterChunk{.begin = 0, .size = static_cast<std::int32_t>(values.extent(0)), .group = 0};
    });
    kernels::PerGroup<kernels::SgdCoefficients<T>> groups{};
    groups[0] = {.rate = rate_, .weight_decay = T(5e-4), .momentum = T(0.9)};
    kernels::sgd_step<Exec, T>(exec_, chunks, groups, kernels::MomentumRule::nesterov, model_.parameters().gradients(),
                               velocity_, values);
  }

  Exec exec_;
  T rate_;
  models::Model<Exec, T> model_;
  std::unique_ptr<losses::Loss<Exec, T>> loss_;
  Vector<T, Exec> velocity_;
  Matrix<T, Exec> diff_outputs_;
  Vector<double, Exec> parts_;
  Labels<Exec> labels_;
  nn::Tensors<Exec, T> inputs_;
  Matrix<T, Exec> outputs_;
};

template <class Exec, class T>
std::string wide_resnet_digest(const Exec& exec) {
  constexpr nn::ImageShape image{13, 14, 3};
  return TenSteps<Exec, T>(exec, {.name = "wrn", .depth = 10, .width = 1, .dropout = 0.3}, image,
                           make_images<Exec, T>(exec, image), 0.01)
      .digest();
}

template <class Exec>
std::string vgg_digest(const Exec& exec) {
  constexpr nn::ImageShape image{8, 8, 1};
  return TenSteps<Exec, float>(exec, {.name = "vgg"}, image, make_images<Exec, float>(exec, image), 1e-5).digest();
}

template <class Exec, class T>
std::string gru_digest(const Exec& exec) {
  constexpr int steps = 9, vocabulary = 60;
  return TenSteps<Exec, T>(exec, {.name = "gru", .vocabulary = vocabulary, .embedding = 10, .units = 20, .layers = 2},
                           {1, steps, 1}, make_documents<Exec, T>(exec, steps, vocabulary), 0.1)
      .digest();
}

}  // namespace

template <class Exec>
void add_network_subjects(std::vector<Subject<Exec>>& subjects) {
  subjects.push_back({"network.wrn-10-1.ten_steps.float32", &wide_resnet_digest<Exec, float>});
  subjects.push_back({"network.wrn-10-1.ten_steps.float64", &wide_resnet_digest<Exec, double>});
  subjects.push_back({"network.vgg.ten_steps.float32", &vgg_digest<Exec>});
  subjects.push_back({"network.gru.ten_steps.float32", &gru_digest<Exec, float>});
  subjects.push_back({"network.gru.ten_steps.float64", &gru_digest<Exec, double>});
}

#define BCR_INSTANCE(Exec) template void add_network_subjects<Exec>(std::vector<Subject<Exec>>&);
BCR_FOR_EACH_EXEC(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::identity
