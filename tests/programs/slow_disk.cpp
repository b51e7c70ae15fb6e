// Loaded before the C library: a disk on which every sync takes BCR_TEST_SYNC_SECONDS, and which changes a byte in the
// middle of a file as it is synced: the BCR_TEST_DAMAGE_AT-th sync of files whose name has BCR_TEST_DAMAGE_NAME in it.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

namespace {

std::string setting(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

void damage(const int descriptor) {
  static int syncs = 0;
  const std::string wanted = setting("BCR_TEST_DAMAGE_NAME");
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  char name[4096];
  const ssize_t length = ::readlink(link.c_str(), name, sizeof name);
  if (wanted.empty() || length <= 0) return;
  if (std::string(name, static_cast<std::size_t>(length)).find(wanted) == std::string::npos) return;
  if (++syncs != std::atoi(setting("BCR_TEST_DAMAGE_AT").c_str())) return;
  const int file = ::open(link.c_str(), O_RDWR);
  struct stat facts {};
  char byte = 0;
  if (::fstat(file, &facts) == 0 && ::pread(file, &byte, 1, facts.st_size / 2) == 1) {
    byte = static_cast<char>(byte ^ 0x55);
    if (::pwrite(file, &byte, 1, facts.st_size / 2) != 1) ::abort();
  }
  ::close(file);
}

}  // namespace

extern "C" int fsync(const int descriptor) {
  damage(descriptor);
  ::usleep(static_cast<useconds_t>(1e6 * std::atof(setting("BCR_TEST_SYNC_SECONDS").c_str())));
  return static_cast<int>(::syscall(SYS_fsync, descriptor));
}
