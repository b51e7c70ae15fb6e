#include "io/hdf5/library.hpp"

#include "src/core/error.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace bcr::io::hdf5 {

namespace {

// A damaged file can leave entries in the library's lists, about which its own clean-up at exit complains. Everything
// we open is closed by a Handle, so that clean-up has nothing to do for us.
std::recursive_mutex& library_mutex() {
  static const herr_t without_clean_up = H5dont_atexit();
  static_cast<void>(without_clean_up);
  static std::recursive_mutex mutex;
  return mutex;
}

extern "C" {
static herr_t collect(unsigned, const H5E_error2_t* error, void* text) {
  auto& words = *static_cast<std::string*>(text);
  if (error->desc == nullptr || *error->desc == '\0') return 0;
  if (!words.empty()) words += "; ";
  words += error->desc;
  return 0;
}
}

}  // namespace

LibraryScope::LibraryScope() : lock_(library_mutex()) {
  H5Eget_auto2(H5E_DEFAULT, &printer_, &printer_data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

LibraryScope::~LibraryScope() {
  H5Eset_auto2(H5E_DEFAULT, printer_, printer_data_);
}

void fail(const std::string& file, const std::string_view object, const std::string_view action) {
  std::string words;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, collect, &words);
  H5Eclear2(H5E_DEFAULT);
  throw IoError(fmt::format("HDF5 {}:{}", file, object), action, words.empty() ? "an error of the library" : words);
}

Handle checked(const hid_t id, const Handle::Closer closer, const std::string& file, const std::string_view object,
               const std::string_view action) {
  if (id < 0) fail(file, object, action);
  return Handle(id, closer);
}

hid_t memory_type(const Element element) {
  switch (element) {
    case Element::u8:
      return H5T_NATIVE_UINT8;
    case Element::i32:
      return H5T_NATIVE_INT32;
    case Element::i64:
      return H5T_NATIVE_INT64;
    case Element::u64:
      return H5T_NATIVE_UINT64;
    case Element::f32:
      return H5T_NATIVE_FLOAT;
    case Element::f64:
      return H5T_NATIVE_DOUBLE;
    case Element::other:
      break;
  }
  return H5I_INVALID_HID;
}

hid_t stored_type(const Element element) {
  switch (element) {
    case Element::u8:
      return H5T_STD_U8LE;
    case Element::i32:
      return H5T_STD_I32LE;
    case Element::i64:
      return H5T_STD_I64LE;
    case Element::u64:
      return H5T_STD_U64LE;
    case Element::f32:
      return H5T_IEEE_F32LE;
    case Element::f64:
      return H5T_IEEE_F64LE;
    case Element::other:
      break;
  }
  return H5I_INVALID_HID;
}

Element element_of_type(const hid_t type) {
  for (const Element element : {Element::u8, Element::i32, Element::i64, Element::u64, Element::f32, Element::f64}) {
    if (H5Tequal(type, stored_type(element)) > 0) return element;
  }
  return Element::other;
}

Handle text_type(const std::string& file, const std::size_t length) {
  Handle type = checked(H5Tcopy(H5T_C_S1), H5Tclose, file, "", "a string type");
  check(H5Tset_size(type.get(), length == 0 ? 1 : length), file, "", "a string type of this length");
  check(H5Tset_strpad(type.get(), H5T_STR_NULLPAD), file, "", "a string type padded with zeros");
  check(H5Tset_cset(type.get(), H5T_CSET_UTF8), file, "", "a UTF-8 string type");
  return type;
}

}  // namespace bcr::io::hdf5
