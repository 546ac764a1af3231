// The parts of the compiled module.
#pragma once

#include <nanobind/nanobind.h>

namespace lazylogit::python {

void bind_data(nanobind::module_& module);    // Data
void bind_model(nanobind::module_& module);   // Model, TuneSettings, fit
void bind_stream(nanobind::module_& module);  // Stream

}  // namespace lazylogit::python
