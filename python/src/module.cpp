// lazylogit._core: rows, models, fitting and predicting for the Python package; estimators are in Python.
#include <nanobind/nanobind.h>

#include "bindings.hpp"
#include "lazylogit/base/error.hpp"

NB_MODULE(_core, module) {
  using namespace lazylogit;
  nanobind::register_exception_translator([](const std::exception_ptr& pointer, void*) {
    try {
      std::rethrow_exception(pointer);
    } catch (const IoError& error) {
      PyErr_SetString(PyExc_OSError, error.what());
    } catch (const Error& error) {
      PyErr_SetString(PyExc_ValueError, error.what());
    } catch (const Cancelled&) {
      PyErr_SetNone(PyExc_KeyboardInterrupt);
    }
  });
  python::bind_data(module);
  python::bind_model(module);
  python::bind_stream(module);
}
