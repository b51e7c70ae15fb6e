#include "io/hdf5/scores_file.hpp"

#include "io/hdf5/writer.hpp"

namespace bcr::io {
namespace {

template <class T>
void write_rows_of(Hdf5Writer& writer, const std::string& path, const std::size_t rows, const std::vector<T>& values) {
  if (rows == 0 || values.empty()) return;
  writer.write(path, {rows, values.size() / rows}, std::span(values));
}

template <class T>
void write_list(Hdf5Writer& writer, const std::string& path, const std::vector<T>& values) {
  writer.write(path, {values.size()}, std::span(values));
}

void write_set(Hdf5Writer& writer, const std::string& group, const SetScores& set) {
  write_list(writer, group + "/label", set.labels);
  if (!set.class_names.empty()) writer.write_strings(group + "/class_names", set.class_names);
  write_list(writer, group + "/prediction", set.predictions);
  for (const auto& [name, values] : set.scores) write_list(writer, group + "/score/" + name, values);
  write_rows_of(writer, group + "/feature", set.count(), set.features);
  write_rows_of(writer, group + "/output", set.count(), set.outputs);
}

void write_examples(Hdf5Writer& writer, const ExampleImages& examples) {
  const std::string group = "/examples/" + examples.name;
  const std::size_t count = examples.labels.size();
  writer.write(group + "/image", {count, examples.height, examples.width, examples.channels},
               std::span(examples.images));
  write_list(writer, group + "/index", examples.indices);
  write_list(writer, group + "/label", examples.labels);
  writer.write_strings(group + "/class", examples.classes);
  write_list(writer, group + "/prediction", examples.predictions);
  write_list(writer, group + "/score", examples.scores);
}

}  // namespace

void write_scores_file(const std::filesystem::path& path, const ScoresFile& file) {
  Hdf5Writer writer(path);
  for (const char* const group : {"/known", "/unknown", "/train_known", "/examples"}) writer.create_group(group);
  writer.set_attribute("/", "format", std::string("bcr scores"));
  writer.set_attribute("/", "version", std::int64_t{2});
  writer.set_attribute("/", "score", file.default_score);
  writer.set_attribute("/", "classes", static_cast<std::int64_t>(file.class_names.size()));
  writer.set_attribute("/", "model", file.model);
  writer.set_attribute("/", "checkpoint_sha256", file.checkpoint_sha256);
  writer.write_strings("/class_names", file.class_names);
  write_set(writer, "/known", file.known);
  for (const auto& [name, set] : file.unknown) write_set(writer, "/unknown/" + name, set);
  for (const auto& [name, values] : file.train_known.scores) write_list(writer, "/train_known/score/" + name, values);
  if (file.validation) write_set(writer, "/validation", *file.validation);
  write_rows_of(writer, "/anchors", file.class_names.size(), file.anchors);
  for (const ExampleImages& examples : file.examples) write_examples(writer, examples);
  writer.commit();
}

}  // namespace bcr::io
