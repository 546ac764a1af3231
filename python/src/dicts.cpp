#include "dicts.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace nb = nanobind;

namespace lazylogit::python {
namespace {

std::string_view text_of(nb::handle object) {
  Py_ssize_t size = 0;
  const char* bytes = PyUnicode_AsUTF8AndSize(object.ptr(), &size);
  if (bytes == nullptr) nb::raise_python_error();
  return {bytes, static_cast<std::size_t>(size)};
}

// The feature's name in `name`, and its value.
double entry(nb::handle key, nb::handle value, std::string& name) {
  if (!PyUnicode_Check(key.ptr()))
    throw nb::type_error("the keys of a row must be text: they are names of features");
  name = text_of(key);
  if (name.empty()) throw nb::value_error("a name of a feature is empty");
  if (PyUnicode_Check(value.ptr())) {
    name += '=';
    name += text_of(value);
    return 1;
  }
  if (!PyNumber_Check(value.ptr()))
    throw nb::type_error(("the value of " + name + " must be a number or text").c_str());
  const double number = PyFloat_AsDouble(value.ptr());
  if (number == -1 && PyErr_Occurred() != nullptr) nb::raise_python_error();
  if (!std::isfinite(number)) throw nb::value_error(("Input X contains NaN or infinity: " + name).c_str());
  return number;
}

using Column = std::function<std::optional<FeatureId>(const std::string& name)>;

void add_rows(const nb::list& rows, const Column& column, data::SparseMatrix& x) {
  Buffer<double> values;
  std::string name;
  std::vector<std::pair<FeatureId, double>> row;
  for (const nb::handle item : rows) {
    if (!PyDict_Check(item.ptr()))
      throw nb::type_error("every row must be a dictionary, as the first one is");
    row.clear();
    for (const auto& [key, value] : nb::borrow<nb::dict>(item)) {
      const double number = entry(key, value, name);
      const auto id = column(name);
      if (id && number != 0) row.emplace_back(*id, number);
    }
    std::sort(row.begin(), row.end());
    for (std::size_t k = 0; k < row.size(); ++k) {
      if (k > 0 && row[k].first == row[k - 1].first)
        throw nb::value_error("two entries of a row are the same feature");
      x.ids.push_back(row[k].first);
      values.push_back(row[k].second);
    }
    x.row_offsets.push_back(x.ids.size());
  }
  x.values = std::move(values);
}

}  // namespace

Table table_of_dicts(const nb::list& rows) {
  Table table;
  data::Alphabet& features = table.data.features;
  table.data.input.kind = data::InputKind::named;
  add_rows(
      rows, [&](const std::string& name) { return std::optional(features.intern(name)); }, table.data.x);
  table.data.x.num_features = features.size();
  return table;
}

Table table_of_dicts(const nb::list& rows, const data::Alphabet& known, std::size_t num_features,
                     std::size_t& unknown) {
  Table table;
  table.data.input.kind = data::InputKind::named;
  add_rows(
      rows,
      [&](const std::string& name) {
        const auto id = known.find(name);
        unknown += id ? 0 : 1;
        return id;
      },
      table.data.x);
  table.data.x.num_features = num_features;
  return table;
}

}  // namespace lazylogit::python
