// HDF5 1.10 itself forgets about 400 bytes when it refuses a damaged file. The leak sanitizer asks this function, where
// there is one, what to pass over; other programs never call it.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): the sanitizer's name
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() {
  return "leak:libhdf5\n";
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
