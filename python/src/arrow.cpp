#include "arrow.hpp"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "arrow_column.hpp"

namespace nb = nanobind;

namespace lazylogit::python {
namespace {

// What a capsule holds; the capsule keeps owning it until it is moved out.
template <class T>
void move_out(nb::handle capsule, const char* name, Held<T>& to) {
  void* pointer = PyCapsule_GetPointer(capsule.ptr(), name);
  if (pointer == nullptr) nb::raise_python_error();
  T& from = *static_cast<T*>(pointer);
  if (from.release == nullptr) throw std::invalid_argument("the Arrow object was read already");
  static_cast<T&>(to) = from;
  from.release = nullptr;
}

// Schema, then batches.
class Batches {
 public:
  explicit Batches(nb::handle object) {
    if (nb::hasattr(object, "__arrow_c_stream__")) {
      const nb::object capsule = object.attr("__arrow_c_stream__")();
      move_out(capsule, "arrow_array_stream", stream_);
      check(stream_.get_schema(&stream_, &schema));
    } else {
      const nb::tuple pair = nb::cast<nb::tuple>(object.attr("__arrow_c_array__")());
      move_out(pair[0], "arrow_schema", schema);
      move_out(pair[1], "arrow_array", batch);
      single_ = true;
    }
    if (schema.format == nullptr || std::string_view(schema.format) != "+s")
      throw std::invalid_argument("the Arrow object is not a table of columns");
    if (single_) check_batch();
  }

  // The next batch in `batch`; false at the end.
  bool next() {
    if (stream_.release == nullptr) return std::exchange(single_, false);
    batch.reset();
    check(stream_.get_next(&stream_, &batch));
    if (batch.release == nullptr) return false;
    check_batch();
    return true;
  }
  void give_batch(Held<ArrowArray>& to) {
    static_cast<ArrowArray&>(to) = batch;
    batch.release = nullptr;
  }

  Held<ArrowSchema> schema;
  Held<ArrowArray> batch;

 private:
  void check(int code) {
    if (code == 0) return;
    const char* text = stream_.get_last_error(&stream_);
    throw std::invalid_argument(text != nullptr ? text : "the Arrow stream cannot be read");
  }
  void check_batch() const {
    bool fits = batch.n_children == schema.n_children && batch.length >= 0 && batch.offset >= 0;
    for (std::int64_t c = 0; fits && c < batch.n_children; ++c)
      fits = batch.children[c]->offset >= 0 && batch.children[c]->length >= batch.offset + batch.length;
    if (!fits) throw std::invalid_argument("the columns of the Arrow object do not fit its schema");
    if (batch.null_count != 0 && batch.n_buffers > 0 && batch.buffers[0] != nullptr)
      throw std::invalid_argument("Input X contains NaN: rows of the Arrow object are null");
  }
  Held<ArrowArrayStream> stream_;
  bool single_ = false;
};

}  // namespace

ArrowRows::ArrowRows(nb::handle object, const nb::dict& texts)
    : kept_(std::make_shared<ArrowBatches>()), are_numbers_(texts.size() == 0) {
  for (const auto& [name, list] : texts)
    texts_[nb::cast<std::string>(name)] = texts_of(nb::cast<nb::list>(list));
  Batches batches(object);
  for (std::int64_t c = 0; c < batches.schema.n_children; ++c) {
    const ArrowSchema& column = *batches.schema.children[c];
    std::vector<std::string>& names = kept_->names;
    names.emplace_back(column.name != nullptr ? column.name : "");
    if (std::count(names.begin(), names.end(), names.back()) > 1)
      throw std::invalid_argument("two columns are called " + names.back());
    const ArrowKind kind = arrow_kind(column, names.back());
    if (column.dictionary != nullptr) arrow_kind(*column.dictionary, names.back());
    are_numbers_ = are_numbers_ && is_number(kind) && column.dictionary == nullptr;
  }
  if (kept_->names.empty()) throw std::invalid_argument("the Arrow object has no columns");
  while (batches.next()) batches.give_batch(kept_->batches.emplace_back());
  static_cast<ArrowSchema&>(kept_->schema) = batches.schema;
  batches.schema.release = nullptr;
}

std::size_t ArrowRows::num_rows() const noexcept {
  std::size_t rows = 0;
  for (const ArrowArray& batch : kept_->batches) rows += static_cast<std::size_t>(batch.length);
  return rows;
}

Table ArrowRows::numbers() const {
  std::vector<data::DenseBatch> rows;
  std::size_t bytes = 0;
  for (const ArrowArray& batch : kept_->batches) {
    data::DenseBatch part{static_cast<std::size_t>(batch.length), {}};
    for (std::size_t c = 0; c < names().size(); ++c) {
      const ArrowColumn column(*kept_->schema.children[c], *batch.children[c], names()[c]);
      if (column.has_null(batch.offset, batch.length))
        throw std::invalid_argument("Input X contains NaN: column " + names()[c]);
      part.columns.push_back(column.cells(batch.offset));
      bytes += part.num_rows * static_cast<std::size_t>(part.columns.back().stride);
    }
    rows.push_back(std::move(part));
  }
  Table table = table_of_batches(std::move(rows), names().size(), bytes);
  if (table.data.x.source != nullptr) table.batches_owner = kept_;
  return table;
}

}  // namespace lazylogit::python
