// Text that Python makes while it is read: no copy of all of it is ever held.
#pragma once

#include <nanobind/nanobind.h>

#include "lazylogit/io/inputs.hpp"

namespace lazylogit::python {

// `make` gives an iterator over pieces of bytes each time it is called. It is called from any thread, with the GIL; what
// it raises ends the reading. It must outlive the result.
io::Input::Maker made_text(nanobind::handle make);

}  // namespace lazylogit::python
