// predictor MODEL: loads a run or a checkpoint and asks it what it says of some made-up images.
#include <bcr/predict/predictor.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <cstdio>
#include <exception>
#include <vector>

namespace {

int allocations = 0;

void count_allocation(const Kokkos_Profiling_SpaceHandle, const char*, const void*, const std::uint64_t) {
  ++allocations;
}

/// Gradients of different colours, as bytes [count, height, width, channels].
std::vector<std::uint8_t> gradients(const int count, const bcr::nn::ImageShape& image) {
  std::vector<std::uint8_t> pixels;
  for (int i = 0; i < count; ++i)
    for (int y = 0; y < image.height; ++y)
      for (int x = 0; x < image.width; ++x)
        for (int c = 0; c < image.channels; ++c)
          pixels.push_back(static_cast<std::uint8_t>((i * 31 + y * 13 + x * (5 + c)) % 256));
  return pixels;
}

int answer(const char* const model) {
  constexpr int images = 10;
  bcr::Predictor predictor(model, {}, bcr::Log(bcr::LogLevel::warning), /*batch=*/4);
  const std::vector<std::uint8_t> pixels = gradients(images, predictor.image());

  // All memory of the network was taken when it was loaded, and what Kokkos wants for itself in the first pass.
  predictor.predict(pixels);
  Kokkos::Tools::Experimental::set_allocate_data_callback(count_allocation);
  const std::vector<bcr::predict::Answer> answers = predictor.predict(pixels);
  Kokkos::Tools::Experimental::set_allocate_data_callback(nullptr);

  for (const bcr::predict::Answer& one : answers) {
    const auto& guess = predictor.class_names()[static_cast<std::size_t>(one.guess)];
    std::printf("%s %s %.17g\n", one.unknown ? "unknown" : guess.c_str(), guess.c_str(), one.score);
  }
  std::fprintf(stderr, "%d allocations while %zu images were answered for\n", allocations, answers.size());
  return answers.size() == images && allocations == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  if (argc != 2) {
    std::fputs("usage: predictor MODEL\n", stderr);
    return 2;
  }
  try {
    return answer(argv[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
