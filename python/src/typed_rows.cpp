#include "typed_rows.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <stdexcept>

#include "cell_type.hpp"
#include "interruptible.hpp"
#include "python_text.hpp"
#include "text_codes.hpp"

namespace nb = nanobind;

namespace lazylogit::python {

std::shared_ptr<const data::Alphabet> texts_of(const nb::list& list) {
  auto texts = std::make_shared<data::Alphabet>();
  for (const nb::handle text : list)
    texts->append(text.is_none() ? std::string_view() : PythonText(text).view());
  return texts;
}

TypedColumns::TypedColumns(const nb::list& columns) {
  for (const nb::handle column : columns) add(nb::cast<nb::tuple>(column));
  if (columns.size() == 0) throw std::invalid_argument("a frame without columns");
}

void TypedColumns::add(const nb::tuple& column) {
  io::TypedPart part;
  std::size_t rows = 0;
  if (nb::isinstance<TextCodes>(column[1])) {
    const auto& codes = nb::cast<const TextCodes&>(column[1]);
    rows = codes.size();
    part = codes.part(0);
  } else {
    const auto cells = nb::cast<CellArray>(column[1]);
    rows = cells.shape(0);
    part.column.cells = column_of(cells);
    if (column.size() > 2) part.texts = texts_of(nb::cast<nb::list>(column[2]));
  }
  if (!table_.batch_rows.empty() && table_.batch_rows[0] != rows)
    throw std::invalid_argument("columns have different lengths");
  table_.batch_rows = {rows};
  table_.columns.push_back({nb::cast<std::string>(column[0]), {std::move(part)}});
}

std::optional<Table> rows_of_typed(const io::TypedTable& typed, const Options& given) {
  const io::ReadOptions options = read_options_of(given);
  std::optional<Table> result;
  run_interruptibly([&](const CancelToken&) {
    Messages messages;
    io::check_cells(typed);
    std::optional<data::Dataset> data = io::learn_typed(typed, options, messages);
    if (!data) return;
    result.emplace();
    result->data = std::move(*data);
    result->warnings = std::move(messages.warnings);
    result->notices = std::move(messages.notices);
  });
  return result;
}

std::optional<Table> rows_of_typed(const io::TypedTable& typed, const Fitted& fitted) {
  std::optional<Table> result;
  run_interruptibly([&](const CancelToken&) {
    io::check_cells(typed);
    std::optional<data::SparseMatrix> x = io::apply_typed(typed, fixed_names(fitted.model));
    if (!x) return;
    result.emplace();
    result->data.x = std::move(*x);
    result->data.input = fitted.model.input;
  });
  return result;
}

}  // namespace lazylogit::python
