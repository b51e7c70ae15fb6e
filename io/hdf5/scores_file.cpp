#include "io/hdf5/scores_file.hpp"

#include "io/hdf5/reader.hpp"
#include "io/hdf5/writer.hpp"
#include "src/core/error.hpp"

#include <fmt/format.h>

namespace bcr::io {
namespace {

constexpr std::string_view scores_format = "bcr scores";
constexpr std::int64_t scores_version = 2;

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
  if (!set.files.empty()) writer.write_strings(group + "/file", set.files);
  write_list(writer, group + "/prediction", set.predictions);
  for (const auto& [name, values] : set.scores) write_list(writer, group + "/score/" + name, values);
  for (const auto& [name, values] : set.decisions) write_list(writer, group + "/decision/" + name, values);
  write_rows_of(writer, group + "/feature", set.count(), set.features);
  write_rows_of(writer, group + "/output", set.count(), set.outputs);
}

void write_examples(Hdf5Writer& writer, const ExampleImages& examples) {
  const std::string group = "/examples/" + examples.name;
  const std::size_t count = examples.labels.size();
  if (!examples.texts.empty()) {
    writer.write_strings(group + "/text", examples.texts);
  } else {
    writer.write(group + "/image", {count, examples.height, examples.width, examples.channels},
                 std::span(examples.images));
  }
  write_list(writer, group + "/index", examples.indices);
  write_list(writer, group + "/label", examples.labels);
  writer.write_strings(group + "/class", examples.classes);
  write_list(writer, group + "/prediction", examples.predictions);
  write_list(writer, group + "/score", examples.scores);
}

[[noreturn]] void refuse(const Hdf5Reader& file, const std::string& object, const std::string& expected,
                         const std::string& received) {
  throw IoError(fmt::format("read {}:{}", file.name(), object), expected, received);
}

template <class T>
std::vector<T> read_if_there(const Hdf5Reader& file, const std::string& dataset) {
  return file.has(dataset) ? file.read<T>(dataset) : std::vector<T>();
}

std::vector<std::string> strings_if_there(const Hdf5Reader& file, const std::string& dataset) {
  return file.has(dataset) ? file.read_strings(dataset) : std::vector<std::string>();
}

std::string text_if_there(const Hdf5Reader& file, const std::string& attribute) {
  return file.has_attribute("/", attribute) ? file.text_attribute("/", attribute) : std::string();
}

void require_length(const Hdf5Reader& file, const std::string& object, const std::size_t received,
                    const std::size_t expected) {
  if (received != expected) refuse(file, object, fmt::format("{} rows", expected), std::to_string(received));
}

void require_classes(const Hdf5Reader& file, const std::string& object, const std::vector<std::int32_t>& values,
                     const std::size_t classes) {
  for (const std::int32_t value : values) {
    if (value < 0 || static_cast<std::size_t>(value) >= classes) {
      refuse(file, object, fmt::format("classes 0 to {}", static_cast<long>(classes) - 1), std::to_string(value));
    }
  }
}

/// [rows, any number of columns].
std::vector<float> read_rows_of(const Hdf5Reader& file, const std::string& dataset, const std::size_t rows) {
  if (!file.has(dataset)) return {};
  const Hdf5Shape shape = file.shape(dataset);
  if (shape.extents.size() != 2) refuse(file, dataset, "two dimensions", std::to_string(shape.extents.size()));
  require_length(file, dataset, shape.extents[0], rows);
  return file.read<float>(dataset);
}

void read_score_lists(const Hdf5Reader& file, const std::string& group, SetScores& set) {
  if (!file.has(group)) return;
  for (const std::string& name : file.members(group))
    set.scores.emplace_back(name, file.read<double>(group + "/" + name));
}

/// Predictions are known classes; labels are classes that the set names itself, if it does.
SetScores read_set(const Hdf5Reader& file, const std::string& group, const std::size_t classes) {
  SetScores set;
  set.labels = read_if_there<std::int32_t>(file, group + "/label");
  set.class_names = strings_if_there(file, group + "/class_names");
  set.files = strings_if_there(file, group + "/file");
  set.predictions = read_if_there<std::int32_t>(file, group + "/prediction");
  read_score_lists(file, group + "/score", set);
  const std::size_t count = set.predictions.size();
  if (!set.labels.empty()) require_length(file, group + "/label", set.labels.size(), count);
  if (!set.files.empty()) require_length(file, group + "/file", set.files.size(), count);
  if (file.has(group + "/decision"))
    for (const std::string& name : file.members(group + "/decision")) {
      const std::string dataset = group + "/decision/" + name;
      const auto& answers = set.decisions.emplace_back(name, file.read<std::int32_t>(dataset)).second;
      require_length(file, dataset, answers.size(), count);
      require_classes(file, dataset, answers, classes + 1);  // the last is "unknown"
    }
  for (const auto& [score, values] : set.scores) require_length(file, group + "/score/" + score, values.size(), count);
  set.features = read_rows_of(file, group + "/feature", count);
  set.outputs = read_rows_of(file, group + "/output", count);
  require_classes(file, group + "/prediction", set.predictions, classes);
  if (!set.class_names.empty()) require_classes(file, group + "/label", set.labels, set.class_names.size());
  return set;
}

/// Reads the pictures of a group and returns how many there are.
std::size_t read_pictures(const Hdf5Reader& file, const std::string& dataset, ExampleImages& examples) {
  const Hdf5Shape shape = file.shape(dataset);
  if (shape.extents.size() != 4 || (shape.extents[3] != 1 && shape.extents[3] != 3))
    refuse(file, dataset, "[K, H, W, 1 or 3]", fmt::format("{} dimensions", shape.extents.size()));
  examples.height = shape.extents[1];
  examples.width = shape.extents[2];
  examples.channels = shape.extents[3];
  examples.images = file.read<std::uint8_t>(dataset);
  return shape.extents[0];
}

ExampleImages read_examples(const Hdf5Reader& file, const std::string& name) {
  const std::string group = "/examples/" + name;
  ExampleImages examples;
  examples.name = name;
  examples.texts = strings_if_there(file, group + "/text");
  const std::size_t count =
      examples.texts.empty() ? read_pictures(file, group + "/image", examples) : examples.texts.size();
  examples.indices = read_if_there<std::int64_t>(file, group + "/index");
  examples.labels = read_if_there<std::int32_t>(file, group + "/label");
  examples.classes = strings_if_there(file, group + "/class");
  examples.predictions = read_if_there<std::int32_t>(file, group + "/prediction");
  examples.scores = read_if_there<double>(file, group + "/score");
  for (const std::size_t length : {examples.indices.size(), examples.labels.size(), examples.classes.size(),
                                   examples.predictions.size(), examples.scores.size()}) {
    if (length != 0) require_length(file, group, length, count);
  }
  return examples;
}

}  // namespace

void write_scores_file(const std::filesystem::path& path, const ScoresFile& file) {
  Hdf5Writer writer(path);
  for (const char* const group : {"/known", "/unknown", "/train_known", "/examples"}) writer.create_group(group);
  writer.set_attribute("/", "format", std::string(scores_format));
  writer.set_attribute("/", "version", scores_version);
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

ScoresFile read_scores_file(const std::filesystem::path& path) {
  const Hdf5Reader reader(path);
  const std::string format = text_if_there(reader, "format");
  const std::int64_t version = reader.has_attribute("/", "version") ? reader.integer_attribute("/", "version") : 1;
  if ((!format.empty() && format != scores_format) || version > scores_version || (version > 1 && !reader.is_checked()))
    refuse(reader, "/", fmt::format("format \"{}\", version 1 to {}, with checksums", scores_format, scores_version),
           fmt::format("\"{}\", version {}", format, version));
  ScoresFile file;
  file.is_checked = reader.is_checked();
  file.default_score = text_if_there(reader, "score");
  file.model = text_if_there(reader, "model");
  file.checkpoint_sha256 = text_if_there(reader, "checkpoint_sha256");
  file.class_names = strings_if_there(reader, "/class_names");
  const std::size_t classes = file.class_names.size();
  if (reader.has("/known")) file.known = read_set(reader, "/known", classes);
  require_classes(reader, "/known/label", file.known.labels, classes);
  if (reader.has("/unknown"))
    for (const std::string& name : reader.members("/unknown"))
      file.unknown.emplace_back(name, read_set(reader, "/unknown/" + name, classes));
  read_score_lists(reader, "/train_known/score", file.train_known);
  if (reader.has("/validation")) file.validation = read_set(reader, "/validation", classes);
  file.anchors = read_rows_of(reader, "/anchors", classes);
  if (reader.has("/examples"))
    for (const std::string& name : reader.members("/examples"))
      if (reader.has("/examples/" + name + "/image") || reader.has("/examples/" + name + "/text"))
        file.examples.push_back(read_examples(reader, name));
  return file;
}

}  // namespace bcr::io
