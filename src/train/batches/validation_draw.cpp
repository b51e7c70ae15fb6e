#include "src/train/batches/validation_draw.hpp"

#include "io/splits/hold_out.hpp"

#include <vector>

namespace bcr::train {

ValidationDraw draw_validation(const io::Selection& known, const double fraction, const std::uint64_t seed) {
  ValidationDraw draw{{{}, {}, known.classes}, {{}, {}, known.classes}};
  const std::vector<bool> out =
      fraction > 0 ? io::draw_of_each_class(known.labels, known.classes.size(), fraction, seed, "data/validation")
                   : std::vector<bool>(known.rows.size());
  for (std::size_t i = 0; i < known.rows.size(); ++i) {
    io::Selection& side = out[i] ? draw.validation : draw.train;
    side.rows.push_back(known.rows[i]);
    side.labels.push_back(known.labels[i]);
  }
  return draw;
}

}  // namespace bcr::train
