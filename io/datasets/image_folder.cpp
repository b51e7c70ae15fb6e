#include "io/datasets/image_readers.hpp"

#include "io/images/picture_file.hpp"
#include "src/core/error.hpp"
#include "src/core/ordered_workers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

namespace bcr::io {
namespace {

namespace fs = std::filesystem;

template <class Wanted>
std::vector<fs::path> sorted_entries(const fs::path& directory, const Wanted& wanted) {
  std::error_code failure;
  std::vector<fs::path> paths;
  const fs::directory_iterator entries(directory, failure);
  if (failure) throw IoError("list " + directory.string(), "a directory", failure.message());
  for (const fs::directory_entry& entry : entries) {
    if (wanted(entry)) paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end(),
            [](const fs::path& a, const fs::path& b) { return a.filename().native() < b.filename().native(); });
  return paths;
}

}  // namespace

std::vector<fs::path> sorted_directories(const fs::path& directory) {
  return sorted_entries(directory, [](const fs::directory_entry& entry) { return entry.is_directory(); });
}

std::vector<fs::path> sorted_pictures(const fs::path& directory) {
  return sorted_entries(directory, [](const fs::directory_entry& entry) {
    return !entry.is_directory() && is_picture_name(entry.path());
  });
}

namespace {

/// The pixels of an image, or why there are none.
struct Decoded {
  std::vector<std::uint8_t> pixels;
  std::string reason;
};

Decoded decode(const fs::path& path, const std::size_t size, const Fit fit, const std::size_t channels) {
  Decoded decoded;
  try {
    const Picture picture = fit_picture(read_picture(path, least_size(fit, size, size)), fit, size, size);
    decoded.pixels.resize(size * size * channels);
    write_channels(picture, channels, decoded.pixels);
  } catch (const Error& error) {
    decoded.reason = error.what();
  }
  return decoded;
}

/// Pictures that could not be read, as they are counted.
class Failures {
 public:
  explicit Failures(const ImportRequest& request) : request_(request) {}

  void add(const LabelledPicture& picture, const std::string& reason) {
    if (count_++ == 0) first_ = reason;
    request_.skipped(picture.path.string(), reason);
  }
  void require_few(const std::size_t pictures) const {
    if (static_cast<double>(count_) <= request_.skip_at_most * static_cast<double>(pictures)) return;
    throw IoError(
        "import of pictures",
        fmt::format("at most {:g} % of {} that cannot be read (--skip-at-most)", 100 * request_.skip_at_most, pictures),
        fmt::format("{}; the first: {}", count_, first_));
  }

 private:
  const ImportRequest& request_;
  std::size_t count_ = 0;
  std::string first_;
};

constexpr std::size_t ahead_of_each_thread = 4;

}  // namespace

ImageSet decode_pictures(const std::vector<LabelledPicture>& pictures, const std::size_t size,
                         const ImportRequest& request) {
  if (size == 0 || size > largest_side) {
    throw ConfigError("import of pictures", fmt::format("--size of 1 to {}", largest_side), fmt::format("{}", size));
  }
  ImageSet set;
  set.height = size;
  set.width = size;
  set.channels = request.channels;
  set.fit = fit_name(request.fit);
  const std::size_t threads = std::max(1U, std::thread::hardware_concurrency());
  OrderedWorkers<std::size_t, Decoded> decoder(
      [&pictures, next = std::size_t{0}]() mutable {
        return next < pictures.size() ? std::optional(next++) : std::nullopt;
      },
      [&](const std::size_t i) { return decode(pictures[i].path, size, request.fit, request.channels); }, threads,
      ahead_of_each_thread * threads);
  Failures failures(request);
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    const Decoded decoded = std::move(decoder.take(1).front());
    request.progress(i + 1, pictures.size());
    if (!decoded.reason.empty()) {
      failures.add(pictures[i], decoded.reason);
      continue;
    }
    set.images.insert(set.images.end(), decoded.pixels.begin(), decoded.pixels.end());
    set.labels.push_back(pictures[i].label);
    set.files.push_back(pictures[i].name);
    ++set.count;
  }
  failures.require_few(pictures.size());
  return set;
}

namespace {

/// The index of a class, which is added if it is new: the same folder name under two paths is one class.
std::int32_t class_index(std::vector<std::string>& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    names.push_back(name);
    return static_cast<std::int32_t>(names.size() - 1);
  }
  return static_cast<std::int32_t>(found - names.begin());
}

/// Files that people would expect to be imported, HEIC photographs say; not those that systems hide.
bool is_no_picture(const fs::directory_entry& entry) {
  return !entry.is_directory() && !is_picture_name(entry.path()) && entry.path().filename().string().front() != '.';
}

void require_pictures_of_each(const ImageSet& set) {
  const std::vector<std::size_t> counts = class_counts(set.labels, set.class_names.size());
  for (std::size_t c = 0; c < counts.size(); ++c)
    require<IoError>(counts[c] > 0, "import folder", "pictures of class " + set.class_names[c],
                     "none that can be read");
}

std::string folder_name(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  return name.empty() ? path.parent_path().filename().string() : name;
}

}  // namespace

ImageSet read_image_folder(const ImportRequest& request) {
  require_paths(request, "folder", "directories with one folder per class");
  std::vector<std::string> names;
  std::vector<LabelledPicture> pictures;
  for (const auto& root : request.paths) {
    auto folders = sorted_directories(root);
    if (folders.empty()) folders = {root};
    for (const auto& folder : folders) {
      const auto files = sorted_pictures(folder);
      for (const auto& file : sorted_entries(folder, is_no_picture))
        request.skipped(file.string(), "no picture by its name");
      if (files.empty()) throw IoError("import folder " + folder.string(), "picture files", "none");
      const std::int32_t label = class_index(names, folder_name(folder));
      for (const auto& file : files) {
        const fs::path name = folder_name(root) / file.lexically_relative(root);
        pictures.push_back({file, name.generic_string(), label});
      }
    }
  }
  ImageSet set = decode_pictures(pictures, request.size, request);
  set.class_names = std::move(names);
  require_pictures_of_each(set);
  set.source = source_text("folder", request.paths);
  return set;
}

}  // namespace bcr::io
