// Loaded before the C library: a disk on which every sync takes BCR_TEST_SYNC_SECONDS.
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>

extern "C" int fsync(const int descriptor) {
  const char* const seconds = std::getenv("BCR_TEST_SYNC_SECONDS");
  ::usleep(static_cast<useconds_t>(1e6 * (seconds == nullptr ? 0.0 : std::atof(seconds))));
  return static_cast<int>(::syscall(SYS_fsync, descriptor));
}
