#include "src/train/fit_stage.hpp"

#include "io/hdf5/reader.hpp"
#include "io/hdf5/writer.hpp"

#include <algorithm>

namespace bcr::train {
namespace {

constexpr std::size_t block_images = 8192;
constexpr std::size_t most_kept_bytes = std::size_t{1} << 30;
constexpr std::int64_t fitted_file_version = 1;

std::vector<float> tensor_of(const models::Model<Device, Real>& model, const std::string_view name) {
  const auto& slices = model.parameters().slices();
  for (std::size_t id = 0; id < slices.size(); ++id) {
    if (slices[id].name != name) continue;
    const auto host =
        Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), model.parameters().values(static_cast<int>(id)));
    return {host.data(), host.data() + host.size()};
  }
  return {};
}

std::size_t bytes_of(const io::SetScores& set) {
  std::size_t bytes = 8 * (set.count() + set.errors.size() + set.class_errors.size()) +
                      sizeof(float) * (set.outputs.size() + set.features.size() + set.latents.size() +
                                       set.moved_outputs.size());
  for (const auto& [name, values] : set.scores) bytes += sizeof(double) * values.size();
  return bytes;
}

scores::SampleRows rows_of(const io::SetScores& set, const scores::HeadModel& head,
                           const scores::SampleRows::Origin origin) {
  const std::size_t count = set.predictions.size();
  return {.count = count,
          .features = head.features,
          .columns = count == 0 ? head.classes : set.outputs.size() / count,
          .feature = set.features,
          .output = set.outputs,
          .label = set.labels,
          .origin = origin,
          .latents = set.latents.empty() ? 0 : head.latents,
          .latent = set.latents,
          .moved_output = set.moved_outputs,
          .error = set.errors,
          .class_error = set.class_errors};
}

}  // namespace

scores::HeadModel head_model(const models::Model<Device, Real>& model, const losses::ScoreShape& shape) {
  const bool distances = shape.outputs == losses::HeadOutputs::squared_distances;
  scores::HeadModel head{.outputs = shape.outputs,
                         .classes = static_cast<std::size_t>(shape.classes),
                         .features = static_cast<std::size_t>(shape.features),
                         .logit_scale = shape.logit_scale,
                         .weights = tensor_of(model, distances ? "head.anchors" : "head.weights"),
                         .bias = distances ? std::vector<float>() : tensor_of(model, "head.bias"),
                         .latents = static_cast<std::size_t>(shape.latents),
                         .gives = gives_of(shape)};
  head.weights.resize(head.classes * head.features);
  if (!head.bias.empty()) head.bias.resize(head.classes);
  return head;
}

ModelBlocks::ModelBlocks(const Context<Device>& context, const Dataset& images, const OpenData& data,
                         const DataOptions& options, Inference<Device, Real>& inference, const Keep keep,
                         comm::Communicator& ranks)
    : context_(context),
      images_(images),
      data_(data),
      options_(options),
      inference_(inference),
      keep_(keep),
      ranks_(ranks),
      // Whole batches for every rank: a library's result may depend on the size of a batch.
      block_(std::max<std::size_t>(block_images / inference.batch(), 1) * inference.batch()) {}

io::SetScores ModelBlocks::compute(const std::size_t block) {
  const std::size_t first = block * block_;
  const Dataset part = images_.part(first, std::min(block_, images_.count() - first));
  return SharedSet<Device, Real>(context_, part, data_, options_, inference_.batch(), ranks_)
      .run(context_.exec, inference_, keep_);
}

void ModelBlocks::for_each(const std::function<void(const io::SetScores&)>& function) {
  for (std::size_t block = 0; block * block_ < images_.count(); ++block) {
    const auto found = kept_.find(block);
    if (found != kept_.end()) {
      function(found->second);
      continue;
    }
    io::SetScores set = compute(block);
    function(set);
    kept_bytes_ += bytes_of(set);
    if (kept_bytes_ <= most_kept_bytes) kept_.emplace(block, std::move(set));
  }
}

FittedScores::FittedScores(const ScoreChoice& choice, const scores::HeadModel& head,
                           const scores::FittedScoreOptions& options)
    : head_(head), settings_(to_toml(options)) {
  for (const std::string& name : choice.fitted())
    scores_.emplace_back(name, scores::make_fitted_score(name, head, options));
}

bool FittedScores::read_features() const {
  return std::any_of(scores_.begin(), scores_.end(), [](const auto& entry) { return entry.second->reads_features(); });
}

bool FittedScores::read_more() const {
  return std::any_of(scores_.begin(), scores_.end(), [](const auto& entry) {
    return scores::all_fitted_scores().find(entry.first).needs != scores::FittedScoreEntry::Needs::nothing;
  });
}

bool FittedScores::move_images() const {
  return std::any_of(scores_.begin(), scores_.end(), [](const auto& entry) {
    return scores::all_fitted_scores().find(entry.first).needs == scores::FittedScoreEntry::Needs::moved_outputs;
  });
}

void FittedScores::fit(ModelBlocks& training, ScoreChoice& choice, const Log& log) {
  int passes = 0;
  for (const auto& [name, score] : scores_) passes = std::max(passes, score->passes());
  for (int pass = 0; pass < passes; ++pass) {
    training.for_each([&](const io::SetScores& set) {
      const scores::SampleRows rows = rows_of(set, head_, scores::SampleRows::Origin::training);
      for (const auto& [name, score] : scores_) {
        const Kokkos::Timer timer;
        if (pass < score->passes()) score->add(pass, rows);
        times_[name].fitting += timer.seconds();
      }
    });
    for (const auto& [name, score] : scores_) {
      const Kokkos::Timer timer;
      if (pass < score->passes()) score->finish(pass);
      times_[name].fitting += timer.seconds();
    }
  }
  std::erase_if(scores_, [&](const auto& entry) {
    const auto& [name, score] = entry;
    const std::string undefined = score->undefined();
    if (undefined.empty()) {
      for (const std::string& remark : score->remarks()) log.warning("eval", "{}: {}", name, remark);
      return false;
    }
    if (choice.is_asked_for(name)) throw NumericsError("score " + name, "training images that define it", undefined);
    log.warning("eval", "{} is left out: {}", name, undefined);
    choice.leave_out(name);
    return true;
  });
}

void FittedScores::add_to(io::SetScores& set, const scores::SampleRows::Origin origin) {
  const scores::SampleRows rows = rows_of(set, head_, origin);
  for (const auto& [name, score] : scores_) {
    std::vector<double> values(rows.count);
    const Kokkos::Timer timer;
    score->score(rows, values);
    times_[name].scoring += timer.seconds();
    times_[name].images += rows.count;
    set.scores.emplace_back(name, std::move(values));
  }
}

std::vector<std::string> FittedScores::deciding() const {
  std::vector<std::string> names;
  for (const auto& [name, score] : scores_)
    if (score->decides()) names.push_back(name);
  return names;
}

std::vector<std::int32_t> FittedScores::decide(const std::string& name, const io::SetScores& set) const {
  std::vector<std::int32_t> decisions(set.predictions.size());
  for (const auto& [candidate, score] : scores_)
    if (candidate == name) score->decide(rows_of(set, head_, scores::SampleRows::Origin::other), decisions);
  return decisions;
}

void FittedScores::write(const std::filesystem::path& path, const std::string& weights_sha256) const {
  io::Hdf5Writer writer(path);
  writer.set_attribute("/", "format", std::string("bcr fitted scores"));
  writer.set_attribute("/", "version", fitted_file_version);
  writer.set_attribute("/", "weights_sha256", weights_sha256);
  writer.set_attribute("/", "settings", settings_);
  for (const auto& [name, score] : scores_) {
    const scores::FittedState state = score->state();
    for (const scores::FittedArray& array : state.arrays()) {
      std::visit(
          [&](const auto& values) { writer.write("/" + name + "/" + array.name, array.extents, std::span(values)); },
          array.values);
    }
  }
  writer.commit();
}

void FittedScores::read(const std::filesystem::path& path, const std::string& weights_sha256) {
  const io::Hdf5Reader reader(path);
  const std::string file = path.string();
  require<IoError>(reader.text_attribute("/", "format") == "bcr fitted scores" &&
                       reader.integer_attribute("/", "version") == fitted_file_version,
                   "read " + file, "fitted scores, version 1", "another format or version");
  require<IoError>(reader.text_attribute("/", "weights_sha256") == weights_sha256, "read " + file,
                   "scores fitted to the weights " + weights_sha256, reader.text_attribute("/", "weights_sha256"));
  for (const auto& [name, score] : scores_) {
    require<IoError>(reader.has("/" + name), "read " + file, "the score " + name, "none of that name");
    std::vector<scores::FittedArray> arrays;
    for (const std::string& member : reader.members("/" + name)) {
      const std::string dataset = "/" + name + "/" + member;
      const io::Hdf5Shape shape = reader.shape(dataset);
      if (shape.element == io::Element::f32) {
        arrays.push_back({member, shape.extents, reader.read<float>(dataset)});
      } else {
        arrays.push_back({member, shape.extents, reader.read<double>(dataset)});
      }
    }
    score->restore(scores::FittedState(std::move(arrays)));
  }
}

}  // namespace bcr::train
