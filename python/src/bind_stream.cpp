#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "streaming.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace lazylogit::python {

void bind_stream(nb::module_& module) {
  nb::class_<Stream>(module, "Stream", "A learner of rows as they come.")
      .def(nb::init<const Options&>(), "options"_a)
      .def_static("resume", &Stream::resume, "options"_a, "model"_a)
      .def("expect", &Stream::expect, "labels"_a)
      .def(
          "learn",
          [](Stream& stream, const Table& data, std::vector<std::string> labels,
             const Array<std::int64_t>& codes, std::optional<Array<double>> weights,
             std::optional<std::vector<std::string>> names) {
            Labelled y;
            y.labels = std::move(labels);
            y.codes = codes;
            y.weights = std::move(weights);
            y.names = std::move(names);
            stream.learn(data, y);
          },
          "data"_a, "labels"_a, "codes"_a, "weights"_a.none(), "names"_a.none())
      .def(
          "learn_lines",
          [](Stream& stream, const nb::bytes& bytes, const Options& read) {
            stream.learn_bytes({bytes.c_str(), bytes.size()}, read);
          },
          "lines"_a, "read"_a)
      .def_prop_ro("labels", &Stream::labels)
      .def_prop_ro("target", &Stream::target)
      .def_prop_ro("weight", &Stream::weight)
      .def_prop_ro("num_rows", &Stream::num_rows)
      .def_prop_ro("log_loss", &Stream::log_loss)
      .def("save", &Stream::save, "path"_a, "state"_a)
      .def("model", &Stream::model, "num_features"_a);
}

}  // namespace lazylogit::python
