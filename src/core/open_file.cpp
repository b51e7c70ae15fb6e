#include "src/core/open_file.hpp"

#include "src/core/error.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace bcr {

namespace fs = std::filesystem;

bool still_has_name(const int descriptor, const fs::path& path) {
  struct stat open {
  }, named{};
  if (::fstat(descriptor, &open) != 0) return errno != ESTALE;
  if (::stat(path.c_str(), &named) != 0) return errno != ENOENT && errno != ENOTDIR;
  return open.st_ino == named.st_ino && open.st_dev == named.st_dev;
}

HeldDirectory::HeldDirectory(fs::path path)
    : path_(std::move(path)), descriptor_(::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {}

HeldDirectory::~HeldDirectory() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void HeldDirectory::require_there() const {
  if (descriptor_ < 0 || still_has_name(descriptor_, path_)) return;
  std::error_code ignored;
  throw IoError("--out " + path_.string(), "the directory that this program began to write to",
                fs::exists(path_, ignored) ? "another one under its name" : "none: it was removed or renamed");
}

}  // namespace bcr
