#ifndef BCR_IO_SPLITS_HOLD_OUT_HPP
#define BCR_IO_SPLITS_HOLD_OUT_HPP

#include "io/image_set.hpp"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace bcr::io {

/// Which samples are kept out of training, drawn class by class: of the n samples of a class round(fraction n), but at
/// least one, and never all; of a class with one sample, none. What is drawn of a class is a function of (seed, stream,
/// class, n) alone. Labels are below `classes`.
std::vector<bool> draw_of_each_class(std::span<const std::int32_t> labels, std::size_t classes, double fraction,
                                     std::uint64_t seed, std::string_view stream);

/// A set in two: to train on, and to test with. Both have all classes and keep the order of the images.
struct HeldOut {
  ImageSet train;
  ImageSet test;
};

/// A ConfigError for a fraction that is not between 0 and 1, an IoError if nothing would be held out.
HeldOut hold_out(const ImageSet& set, double fraction, std::uint64_t seed);

}  // namespace bcr::io

#endif
