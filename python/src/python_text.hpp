// The UTF-8 bytes of a text of Python's, which does not keep a copy of them for that.
#pragma once

#include <nanobind/nanobind.h>

#include <string_view>

namespace lazylogit::python {

// Characters that UTF-8 does not have become question marks. Throws a TypeError for anything but text.
class PythonText {
 public:
  explicit PythonText(nanobind::handle text) {
    PyObject* const object = text.ptr();
    if (PyUnicode_Check(object) == 0) throw nanobind::type_error("expected text");
    Py_ssize_t size = 0;
    if (PyUnicode_IS_COMPACT_ASCII(object) != 0) {
      const char* const bytes = PyUnicode_AsUTF8AndSize(object, &size);
      view_ = {bytes, static_cast<std::size_t>(size)};
      return;
    }
    bytes_ = nanobind::steal(PyUnicode_AsEncodedString(object, "utf-8", "replace"));
    if (!bytes_.is_valid()) nanobind::raise_python_error();
    view_ = {PyBytes_AS_STRING(bytes_.ptr()), static_cast<std::size_t>(PyBytes_GET_SIZE(bytes_.ptr()))};
  }
  std::string_view view() const noexcept { return view_; }

 private:
  nanobind::object bytes_;
  std::string_view view_;
};

}  // namespace lazylogit::python
