#ifndef BCR_SRC_CORE_ATOMIC_FILE_HPP
#define BCR_SRC_CORE_ATOMIC_FILE_HPP

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>

namespace bcr {

/// A file that appears whole or not at all: a writer fills temporary(), which stands in the same directory, then
/// commit() syncs it to disk, renames it over the target and syncs the directory. Until then, and if anything fails,
/// the old file stays as it was; the destructor removes an uncommitted temporary. Every failure is an IoError with
/// path and reason.
class AtomicFile {
 public:
  /// A target that is a link is followed; one that is no regular file (a directory, /dev/null) is refused.
  explicit AtomicFile(const std::filesystem::path& target);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  const std::filesystem::path& temporary() const { return temporary_; }
  /// Brings the temporary to the disk and forgets it in memory, so that whoever reads it again reads the disk.
  void sync() const;
  void commit();

 private:
  enum class State { open, committed };

  std::filesystem::path target_;
  std::filesystem::path temporary_;
  State state_ = State::open;
};

/// Replaces the content of a file, atomically.
void write_file(const std::filesystem::path& target, std::string_view text);
void write_file(const std::filesystem::path& target, std::span<const std::byte> bytes);

}  // namespace bcr

#endif
