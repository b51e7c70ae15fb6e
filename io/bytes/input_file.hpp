#ifndef BCR_IO_BYTES_INPUT_FILE_HPP
#define BCR_IO_BYTES_INPUT_FILE_HPP

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace bcr::io {

/// Throws an IoError that names the file, the offset of the byte at fault and the reason.
[[noreturn]] void refuse(const std::string& file, std::uint64_t offset, std::string_view expected,
                         std::string_view received);

/// A regular file that is not empty, open for reading at any offset. Directories, pipes, devices and empty files are
/// refused on opening, so that no reader has to think of them. The size is fixed when the file is opened.
class InputFile {
 public:
  explicit InputFile(const std::filesystem::path& path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  const std::string& name() const noexcept { return name_; }
  std::uint64_t size() const noexcept { return size_; }

  /// Fills dst with the bytes from `offset` on; refuses with `what` if the file ends before.
  void read_at(std::uint64_t offset, std::span<std::uint8_t> dst, std::string_view what) const;

 private:
  std::string name_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

using SharedFile = std::shared_ptr<const InputFile>;

SharedFile open_input(const std::filesystem::path& path);

}  // namespace bcr::io

#endif
