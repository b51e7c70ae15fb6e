#include "kernels/augment/augment.hpp"
#include "src/core/instances.hpp"
#include "src/identity/digest.hpp"
#include "src/identity/inputs.hpp"
#include "src/identity/subject.hpp"

#include <array>

namespace bcr::identity {
namespace {

constexpr int images = 37, height = 9, width = 43, batch = 29;

std::uint8_t byte(Random& random) {
  return static_cast<std::uint8_t>(random.below(256));
}

std::int32_t label(Random& random) {
  return static_cast<std::int32_t>(random.below(10));
}

/// Two batches, of which the second goes on across the end of a pass: rows drawn by the kernel, then rows in place.
template <class Exec, class T, int channels, kernels::Border border = kernels::Border::black>
std::string augment_digest(const Exec& exec) {
  using Pixels = Tensor4<std::uint8_t, Exec>;
  const auto src =
      fill_input<Pixels>(exec, "identity/augment/pixels", Kokkos::LayoutRight(images, height, width, channels), byte);
  const auto labels = fill_input<Labels<Exec>>(exec, "identity/augment/labels", Kokkos::LayoutRight(images), label);
  const Tensor4<T, Exec> by_row("bcr::identity::by_row", batch, height, width, channels);
  const Tensor4<T, Exec> in_place("bcr::identity::in_place", batch, height, width, channels);
  const Labels<Exec> drawn("bcr::identity::drawn", batch), drawn_in_place("bcr::identity::drawn_in_place", batch);
  const kernels::BatchOrder order{images, 7, Stream("identity/augment"), kernels::Shuffle::every_pass};
  const kernels::Augmentation augmentation{4, kernels::Flip::half, border};
  constexpr std::array<double, 4> mean{0.4914, 0.4822, 0.4465, 0.5}, deviation{0.2471, 0.2431, 0.2610, 0.25};
  const auto normalisation =
      kernels::make_normalisation<T>(std::span(mean).first(channels), std::span(deviation).first(channels));
  kernels::augment<Exec, T>(exec, src, labels, order, 0, kernels::Placement::by_row, augmentation, normalisation,
                            by_row, drawn);
  kernels::augment<Exec, T>(exec, src, labels, order, batch, kernels::Placement::in_place, augmentation, normalisation,
                            in_place, drawn_in_place);
  return digest_of(exec, by_row, drawn, in_place, drawn_in_place);
}

}  // namespace

template <class Exec>
void add_augment_subjects(std::vector<Subject<Exec>>& subjects) {
  subjects.push_back({"augment.grey.float32", augment_digest<Exec, float, 1>});
  subjects.push_back({"augment.colour.float32", augment_digest<Exec, float, 3>});
  subjects.push_back({"augment.colour.float64", augment_digest<Exec, double, 3>});
  subjects.push_back({"augment.mean_border.float32", augment_digest<Exec, float, 3, kernels::Border::mean>});
}

#define BCR_INSTANCE(Exec) template void add_augment_subjects<Exec>(std::vector<Subject<Exec>>&);
BCR_FOR_EACH_EXEC(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::identity
