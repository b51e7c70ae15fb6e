#ifndef BCR_SRC_CORE_OPEN_FILE_HPP
#define BCR_SRC_CORE_OPEN_FILE_HPP

#include <filesystem>

namespace bcr {

/// False if another file or directory than the one that is open here, or none, has that name now. What cannot be told,
/// for whatever reason a network's file system has, counts as unchanged: the next write will say more.
bool still_has_name(int descriptor, const std::filesystem::path& path);

/// A directory that shall stay under its name as long as it is used: it is kept open, so that no other one can get its
/// number, and looked up again before something is written to it by name.
class HeldDirectory {
 public:
  /// A directory that cannot be opened is not held, and never missed.
  explicit HeldDirectory(std::filesystem::path path);
  ~HeldDirectory();
  HeldDirectory(const HeldDirectory&) = delete;
  HeldDirectory& operator=(const HeldDirectory&) = delete;

  /// An IoError if it was removed, renamed or replaced by another one.
  void require_there() const;

 private:
  std::filesystem::path path_;
  int descriptor_;
};

}  // namespace bcr

#endif
