#ifndef BCR_SRC_NN_BACKENDS_LIBRARY_OBJECT_HPP
#define BCR_SRC_NN_BACKENDS_LIBRARY_OBJECT_HPP

#include <memory>

namespace bcr::nn {

/// Owns one object of a C library: `require(status, operation)` throws unless the library says that all went well.
template <class Handle, auto create, auto destroy, auto require>
class LibraryObject {
 public:
  LibraryObject() { require(create(&handle_), "making an object of a library"); }
  ~LibraryObject() { destroy(handle_); }
  LibraryObject(const LibraryObject&) = delete;
  LibraryObject& operator=(const LibraryObject&) = delete;
  operator Handle() const { return handle_; }

 private:
  Handle handle_ = nullptr;
};

/// A connection to a library, whose making is slow: one for all convolutions of a process, while any of them lives.
template <class Connection>
std::shared_ptr<Connection> shared_connection() {
  static std::weak_ptr<Connection> last;
  auto connection = last.lock();
  if (!connection) last = connection = std::make_shared<Connection>();
  return connection;
}

}  // namespace bcr::nn

#endif
