#include "src/train/batches/open_data.hpp"

#include "io/splits/set_names.hpp"
#include "src/comm/communicator.hpp"
#include "src/core/instances.hpp"
#include "src/train/batches/validation_draw.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bcr::train {

namespace {

using SharedFile = std::shared_ptr<const io::DataFile>;

/// Files that serve two sides of a split are opened once.
class OpenFiles {
 public:
  SharedFile open(const std::filesystem::path& path) {
    for (const SharedFile& file : files_) {
      if (file->path() == path.string()) return file;
    }
    return files_.emplace_back(io::open_data_file(path));
  }

 private:
  std::vector<SharedFile> files_;
};

Dataset::Piece select(const io::ClassChoice& choice, const SharedFile& file) {
  return {file, io::select_images(choice, file->labels(), file->info().class_names, file->path())};
}

io::SplitFiles::Names names_of(const SharedFile& file) {
  return {file->path(), file->info().class_names};
}

void require_path(const std::filesystem::path& path, const std::string_view key) {
  if (path.empty()) throw ConfigError(fmt::format("data.{}", key), "a data file", "none");
}

void require_count(const std::string_view key, const std::size_t expected, const std::size_t received) {
  if (expected == received) return;
  throw ConfigError(fmt::format("data.{}", key), fmt::format("{} data files, as the split lists sets", expected),
                    std::to_string(received));
}

void require_same_kind(const Dataset& dataset, const Dataset& known) {
  if (dataset.count() == 0 || known.count() == 0) return;
  const auto kind = [](const Dataset& of) {
    return of.holds_texts() ? std::string("texts") : "images of " + shape_text(of.extents());
  };
  if (kind(dataset) == kind(known)) return;
  throw IoError("samples of " + dataset.pieces()[0].file->path(),
                kind(known) + " as in " + known.pieces()[0].file->path(), kind(dataset));
}

/// What the user says, else what the known training file says.
void set_normalisation(OpenData& data, const DataOptions& options, OpenFiles& files) {
  data.mean = options.mean;
  data.std = options.std;
  if (data.mean.empty() || data.std.empty()) {
    require_path(options.known_train, "known_train");
    const auto file = std::dynamic_pointer_cast<const io::ImageFile>(files.open(options.known_train));
    require<IoError>(file != nullptr, "data.known_train", "images, as in data.known_test", "texts");
    const io::ChannelStatistics& statistics = file->info().statistics;
    if (data.mean.empty()) data.mean = statistics.mean;
    if (data.std.empty()) data.std = statistics.std;
  }
  const std::size_t channels = (data.known_train.count() > 0 ? data.known_train : data.known_test).extents()[2];
  if (data.mean.size() != channels || data.std.size() != channels) {
    throw ConfigError("data.mean, data.std", fmt::format("{} numbers each, one for each channel", channels),
                      fmt::format("{} and {}", data.mean.size(), data.std.size()));
  }
}

/// The words of the known training documents for every set, and rows as TextOptions says.
void set_text_rows(OpenData& data, const TextOptions& options) {
  require<ConfigError>(data.known_train.count() > 0, "data.known_train", "the documents whose words are known", "none");
  using Width = TextRows::Width;
  data.vocabulary = data.known_train.vocabulary(static_cast<std::size_t>(options.words));
  const int steps = std::max(options.length, options.longest);
  const TextRows known{steps, options.length, options.length, Width::own};
  const TextRows longest_of_batch{steps, steps, 0, Width::of_longest};
  const TextRows one_by_one{steps, steps, options.length, Width::own};
  data.known_train.use(data.vocabulary, known);
  data.validation.use(data.vocabulary, known);
  data.known_test.use(data.vocabulary, known);
  data.background.use(data.vocabulary, longest_of_batch);
  for (Dataset& unknown : data.unknown_test)
    unknown.use(data.vocabulary, options.unknown_width == UnknownWidth::batch ? longest_of_batch : one_by_one);
}

}  // namespace

std::vector<std::string> unknown_set_names(const io::Split& split) {
  return io::unknown_set_names(split);
}

std::vector<Side> sides(const OpenData& data) {
  std::vector<Side> sides{{"known_train", data.known_train}};
  if (data.validation.count() > 0) sides.push_back({"validation", data.validation});
  sides.push_back({"background", data.background});
  sides.push_back({"known_test", data.known_test, true});
  const std::vector<std::string> names = io::unknown_set_names(data.split);
  for (std::size_t i = 0; i < data.unknown_test.size(); ++i)
    sides.push_back({"unknown_" + names[i], data.unknown_test[i], true});
  return sides;
}

OpenData open_data(const DataOptions& options, const DataUse use, const std::uint64_t seed) {
  require_path(options.split, "split");
  OpenData data;
  data.budget = std::make_shared<DeviceBudget>(options.device_budget_mib);
  data.split = io::read_split(options.split);
  data.split_hash = io::split_hash(data.split);
  OpenFiles files;
  // The overlap check sees the sides that are used; lists that are written out were checked when the split was read.
  io::Split used = data.split;
  io::SplitFiles names;
  if (use != DataUse::test) {
    require_path(options.known_train, "known_train");
    require_count("background_train", used.background.size(), options.background_train.size());
    const SharedFile known = files.open(options.known_train);
    names.known = names_of(known);
    ValidationDraw draw = draw_validation(select(used.known, known).selection, options.validation, seed);
    data.known_train = Dataset({Dataset::Piece{known, std::move(draw.train)}});
    if (!draw.validation.rows.empty())
      data.validation = Dataset({Dataset::Piece{known, std::move(draw.validation)}});
    std::vector<Dataset::Piece> pieces;
    for (std::size_t i = 0; i < used.background.size(); ++i) {
      const SharedFile file = files.open(options.background_train[i]);
      names.background.push_back(names_of(file));
      pieces.push_back(select(used.background[i], file));
    }
    data.background = Dataset(std::move(pieces));
    require_same_kind(data.background, data.known_train);
  } else {
    used.background.clear();
  }
  if (use != DataUse::train) {
    require_path(options.known_test, "known_test");
    require_count("unknown_test", used.unknown.size(), options.unknown_test.size());
    const SharedFile known = files.open(options.known_test);
    if (use == DataUse::test) names.known = names_of(known);
    data.known_test = Dataset({select(used.known, known)});
    require_same_kind(data.known_test, data.known_train);
    for (std::size_t i = 0; i < used.unknown.size(); ++i) {
      const SharedFile file = files.open(options.unknown_test[i]);
      names.unknown.push_back(names_of(file));
      data.unknown_test.push_back(Dataset({select(used.unknown[i], file)}));
      require_same_kind(data.unknown_test.back(), data.known_test);
    }
  } else {
    used.unknown.clear();
  }
  io::require_disjoint(used, names);
  if (data.known_train.holds_texts() || data.known_test.holds_texts()) {
    set_text_rows(data, options.text);
  } else {
    set_normalisation(data, options, files);
  }
  return data;
}

namespace {

kernels::BatchOrder order_of(const Dataset& dataset, const std::uint64_t seed, const std::string_view stream,
                             const kernels::Shuffle shuffle) {
  return {dataset.count(), seed, Stream(stream), shuffle};
}

template <class T>
kernels::Normalisation<T> normalisation_of(const OpenData& data) {
  return data.mean.empty() ? kernels::Normalisation<T>{} : kernels::make_normalisation<T>(data.mean, data.std);
}

template <class Exec, class T>
Loader<Exec, T> make_loader(const Context<Exec>& context, const Dataset& dataset, const LoaderPlan<T>& plan,
                            const OpenData& data, const std::size_t largest_batch, const std::string_view side,
                            const DataOptions& options, comm::Communicator& ranks) {
  DeviceRoom room = data.budget->take(dataset.bytes());
  const Residence residence = room ? Residence::device : Residence::streamed;
  require<ConfigError>(room || !dataset.holds_texts(), "data.device_budget_mib",
                       "room for all documents: texts are not streamed",
                       fmt::format("{} bytes of {} texts more", dataset.bytes(), side));
  context.log.info("data", "{}: {} {}, {:.1f} MB, {}", side, dataset.count(),
                   dataset.holds_texts() ? "texts" : "images", 1e-6 * double(dataset.bytes()),
                   residence == Residence::device ? "in device memory" : "streamed");
  Loader<Exec, T> feed(context.exec, dataset, plan, residence, largest_batch, options.scratch, ranks);
  feed.hold(std::move(room));
  return feed;
}

}  // namespace

template <class Exec, class T>
BatchSource<Exec, T> make_batch_source(const Context<Exec>& context, const OpenData& data, const DataOptions& options,
                                       const DrawnShards& shards, comm::Communicator& ranks) {
  const BatchPlan plan{data.known_train.count(),
                       static_cast<std::size_t>(options.known.batch),
                       static_cast<std::size_t>(options.background.batch),
                       options.last_batch,
                       shards.first,
                       shards.own,
                       shards.held_at_once};
  plan.require_valid();
  const auto normalisation = normalisation_of<T>(data);
  const auto feed = [&](const Dataset& dataset, const std::string_view side, const SideOptions& how) {
    const LoaderPlan<T> drawn{
        order_of(dataset, context.seed, fmt::format("data/{}", side), kernels::Shuffle::every_pass),
        {how.pad, how.flip, options.border},
        normalisation};
    return make_loader<Exec, T>(context, dataset, drawn, data, static_cast<std::size_t>(how.batch), side, options,
                                ranks);
  };
  Loader<Exec, T> known = feed(data.known_train, "known", options.known);
  std::optional<Loader<Exec, T>> background;
  if (data.background.count() > 0) background.emplace(feed(data.background, "background", options.background));
  return BatchSource<Exec, T>(context.exec, std::move(known), std::move(background), plan);
}

template <class Exec, class T>
BatchSource<Exec, T> make_batch_source(const Context<Exec>& context, const OpenData& data, const DataOptions& options,
                                       const DrawnShards& shards) {
  comm::SerialCommunicator alone;
  return make_batch_source<Exec, T>(context, data, options, shards, alone);
}

template <class Exec, class T>
Loader<Exec, T> make_test_loader(const Context<Exec>& context, const Dataset& dataset, const OpenData& data,
                                 const DataOptions& options, const std::size_t largest_batch) {
  const LoaderPlan<T> plan{
      order_of(dataset, context.seed, "data/test", kernels::Shuffle::none), {}, normalisation_of<T>(data)};
  comm::SerialCommunicator alone;
  return make_loader<Exec, T>(context, dataset, plan, data, largest_batch, "test", options, alone);
}

#define BCR_INSTANCE(Exec, T)                                                                                         \
  template BatchSource<Exec, T> make_batch_source<Exec, T>(const Context<Exec>&, const OpenData&, const DataOptions&, \
                                                           const DrawnShards&, comm::Communicator&);                  \
  template BatchSource<Exec, T> make_batch_source<Exec, T>(const Context<Exec>&, const OpenData&, const DataOptions&, \
                                                           const DrawnShards&);                                       \
  template Loader<Exec, T> make_test_loader<Exec, T>(const Context<Exec>&, const Dataset&, const OpenData&,           \
                                                     const DataOptions&, std::size_t);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::train
