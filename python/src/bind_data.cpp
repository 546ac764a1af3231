#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>

#include "arrow.hpp"
#include "bindings.hpp"
#include "cell_type.hpp"
#include "dicts.hpp"
#include "made_text.hpp"
#include "python_text.hpp"
#include "reading.hpp"
#include "text_codes.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace lazylogit::python {
namespace {

constexpr const char* kind_names[] = {"indexed", "named", "columns", "text"};  // in the order of InputKind

template <class T>
nb::ndarray<nb::numpy, const T> view(const Buffer<T>& buffer, nb::handle owner) {
  return {buffer.data(), {buffer.size()}, owner};
}

// The parts of the matrix where they lie: (row ends, columns, values); no values where all are 1.
nb::tuple parts_of(nb::handle self) {
  const data::SparseMatrix& x = nb::cast<const Table&>(self).data.x;
  nb::object values = nb::none();
  if (const auto* f = std::get_if<Buffer<float>>(&x.values)) values = nb::cast(view(*f, self));
  if (const auto* d = std::get_if<Buffer<double>>(&x.values)) values = nb::cast(view(*d, self));
  return nb::make_tuple(view(x.row_offsets, self), view(x.ids, self), values);
}

std::vector<std::string> names_of(const Table& table) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < table.data.features.size(); ++i)
    names.emplace_back(table.data.features.name(static_cast<FeatureId>(i)));
  return names;
}

template <class Index, class Value>
void bind_csr(nb::class_<Table>& data) {
  data.def_static("csr", &table_of_csr<Index, Value>, "row_ends"_a.noconvert(), "ids"_a.noconvert(),
                  "values"_a.noconvert(), "num_features"_a, nb::keep_alive<0, 1>(), nb::keep_alive<0, 2>(),
                  nb::keep_alive<0, 3>());
  data.def_static("csc", &table_of_csc<Index, Value>, "column_ends"_a.noconvert(), "ids"_a.noconvert(),
                  "values"_a.noconvert(), "num_rows"_a, nb::keep_alive<0, 1>(), nb::keep_alive<0, 2>(),
                  nb::keep_alive<0, 3>());
}

// A frame whose columns are arrays; they are read where they lie.
Table table_of_columns(const std::vector<CellArray>& columns) {
  data::DenseBatch batch;
  std::size_t bytes = 0;
  for (const CellArray& column : columns) {
    if (!batch.columns.empty() && column.shape(0) != batch.num_rows)
      throw std::invalid_argument("columns have different lengths");
    batch.num_rows = column.shape(0);
    batch.columns.push_back(column_of(column));
    bytes += column.nbytes();
  }
  const std::size_t width = columns.size();
  return table_of_batches({std::move(batch)}, width, bytes);
}

// Adds texts to a column; false where codes will not do: one is neither text nor missing, or they are documents.
bool add_texts(TextCodes& codes, const nb::list& texts) {
  for (const nb::handle text : texts) {
    if (PyUnicode_Check(text.ptr()) != 0)
      codes.add(PythonText(text).view());
    else if (text.is_none() || (PyFloat_Check(text.ptr()) != 0 && std::isnan(PyFloat_AS_DOUBLE(text.ptr()))))
      codes.add_missing();
    else
      return false;
  }
  return !codes.are_documents();
}

// Texts of columns are not needed once names are made of them.
std::optional<Table> forgetting_texts(std::optional<Table> rows, const nb::list& columns) {
  for (const nb::handle column : columns)
    if (const nb::object cells = column[1]; nb::isinstance<TextCodes>(cells))
      nb::cast<TextCodes&>(cells).forget_texts();
  return rows;
}

void bind_frames(nb::module_& module, nb::class_<Table>& data) {
  nb::class_<TextCodes>(module, "TextCodes", "A column of texts as codes.")
      .def(nb::init<>())
      .def("add", &add_texts, "texts"_a);
  data.def_static(
          "typed",
          [](const nb::list& columns, const Options& options) {
            return forgetting_texts(rows_of_typed(TypedColumns(columns).table(), options), columns);
          },
          "columns"_a, "options"_a, nb::keep_alive<0, 1>())
      .def_static(
          "typed",
          [](const nb::list& columns, const Fitted& model) {
            return forgetting_texts(rows_of_typed(TypedColumns(columns).table(), model), columns);
          },
          "columns"_a, "model"_a, nb::keep_alive<0, 1>());
  nb::class_<ArrowRows>(module, "ArrowRows", "Batches of a table that speaks Arrow.")
      .def(nb::init<nb::handle, const nb::dict&>(), "object"_a, "texts"_a = nb::dict())
      .def_prop_ro("names", &ArrowRows::names)
      .def_prop_ro("num_rows", &ArrowRows::num_rows)
      .def_prop_ro("are_numbers", &ArrowRows::are_numbers)
      .def("numbers", &ArrowRows::numbers)
      .def("typed", nb::overload_cast<const Options&>(&ArrowRows::typed, nb::const_), "options"_a)
      .def("typed", nb::overload_cast<const Fitted&>(&ArrowRows::typed, nb::const_), "model"_a)
      .def(
          "parse",
          [](const ArrowRows& rows, const Options& options, const Array<std::int64_t>& codes,
             const std::string& target) {
            if (codes.shape(0) != rows.num_rows())
              throw std::invalid_argument("X and y have different numbers of rows");
            return read_text(rows.csv(codes.data(), target), options);
          },
          "options"_a, "codes"_a, "target"_a)
      .def(
          "parse",
          [](const ArrowRows& rows, const Options& options, const Fitted& model) {
            return read_text(rows.csv(nullptr, ""), options, model);
          },
          "options"_a, "model"_a);
}

}  // namespace

void bind_data(nb::module_& module) {
  nb::class_<Table> data(module, "Data", "Rows in the form in which the engine reads them.");
  bind_csr<std::int32_t, double>(data);
  bind_csr<std::int32_t, float>(data);
  bind_csr<std::int64_t, double>(data);
  bind_csr<std::int64_t, float>(data);
  data.def_static("dense", &table_of_dense<double>, "x"_a.noconvert(), nb::keep_alive<0, 1>())
      .def_static("dense", &table_of_dense<float>, "x"_a.noconvert(), nb::keep_alive<0, 1>())
      .def_static("columns", &table_of_columns, "columns"_a, nb::keep_alive<0, 1>())
      .def_static("dicts", [](const nb::list& rows) { return table_of_dicts(rows); })
      .def_static("dicts",
                  [](const nb::list& rows, const Fitted& fitted) {
                    if (fitted.model.input.kind != data::InputKind::named)
                      throw std::invalid_argument("the model was not trained on rows that are dictionaries");
                    std::size_t unknown = 0;
                    return table_of_dicts(rows, input_names(fitted.model), num_inputs(fitted.model), unknown);
                  })
      .def_static("read", [](const std::vector<std::string>& paths,
                             const Options& options) { return read_files(paths, options); })
      .def_static("read", [](const std::vector<std::string>& paths, const Options& options,
                             const Fitted& model) { return read_files(paths, options, model); })
      .def_static("parse", [](const nb::callable& make,
                              const Options& options) { return read_text(made_text(make), options); })
      .def_static("parse", [](const nb::callable& make, const Options& options,
                              const Fitted& model) { return read_text(made_text(make), options, model); })
      .def_prop_ro("num_rows", [](const Table& t) { return t.data.num_rows(); })
      .def_prop_ro("num_features", [](const Table& t) { return t.data.x.num_features; })
      .def_prop_ro("num_nonzeros", [](const Table& t) { return t.data.x.num_nonzeros(); })
      .def_prop_ro("is_borrowed",
                   [](const Table& t) {
                     const auto* f = std::get_if<Buffer<float>>(&t.data.x.values);
                     const auto* d = std::get_if<Buffer<double>>(&t.data.x.values);
                     return t.data.x.source != nullptr || (f != nullptr && f->is_borrowed()) ||
                            (d != nullptr && d->is_borrowed());
                   })
      .def_prop_ro("kind",
                   [](const Table& t) { return kind_names[static_cast<std::size_t>(t.data.input.kind)]; })
      .def_prop_ro("target", [](const Table& t) { return t.data.input.target; })
      .def_prop_ro("features", &names_of)
      .def_prop_ro("classes", [](const Table& t) { return t.data.classes.labels(); })
      .def_prop_ro("ids", [](const Table& t) { return t.data.ids; })
      .def_ro("warnings", &Table::warnings)
      .def_ro("notices", &Table::notices);
  bind_frames(module, data);
  module.def("parts", &parts_of, "data"_a);
  module.def("labels", [](nb::handle self) { return view(nb::cast<const Table&>(self).data.labels, self); });
  // Rows with any number of labels: (ends of the rows' sets, classes).
  module.def("label_sets", [](nb::handle self) {
    const data::LabelSets& sets = nb::cast<const Table&>(self).data.label_sets;
    return nb::make_tuple(view(sets.ends, self), view(sets.ids, self));
  });
  module.def("targets",
             [](nb::handle self) { return view(nb::cast<const Table&>(self).data.targets, self); });
  module.def("weights",
             [](nb::handle self) { return view(nb::cast<const Table&>(self).data.weights, self); });
  module.def("offsets",
             [](nb::handle self) { return view(nb::cast<const Table&>(self).data.offsets, self); });
  module.def("canonical_label", [](const std::string& text) { return data::canonical_label(text); });
}

}  // namespace lazylogit::python
