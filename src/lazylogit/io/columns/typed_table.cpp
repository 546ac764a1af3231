// apply_typed of typed_table.hpp; typed_learning.cpp learns.
#include "lazylogit/io/columns/typed_table.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "lazylogit/base/parallel.hpp"
#include "lazylogit/io/columns/cell.hpp"
#include "lazylogit/io/columns/column_encoder.hpp"

namespace lazylogit::io {
namespace {

using data::CodeBook;
using data::ColumnType;
using data::EncodedEntry;

// What single cells become, asked of the encoder of files.
class CellEncoder {
 public:
  explicit CellEncoder(const FixedNames& names) : encoder_(names), scratch_(names.input->text) {
    row_.clear(ReadOptions{}, Precision::float64);
  }
  std::vector<EncodedEntry> missing(std::size_t c) {
    encoder_.missing(c, scratch_, row_);
    return taken();
  }
  std::vector<EncodedEntry> number(std::size_t c, double value) {
    encoder_.number(c, value, row_);
    return taken();
  }
  std::vector<EncodedEntry> category(std::size_t c, std::string_view text) {
    encoder_.category(c, text, scratch_, row_);
    return taken();
  }

 private:
  std::vector<EncodedEntry> taken() {
    std::vector<EncodedEntry> entries;
    for (std::size_t k = 0; k < row_.ids.size(); ++k) entries.push_back({row_.ids[k], row_.values64[k]});
    row_.ids.clear();
    row_.values64.clear();
    return entries;
  }
  ColumnEncoder encoder_;
  ColumnEncoder::Scratch scratch_;
  RowBlock row_;
};

// A dictionary under the names of a model. Codes of texts that are no numbers where the model has numbers are kept apart:
// dictionaries hold texts that no cell has.
struct ColumnBook {
  std::shared_ptr<CodeBook> book = std::make_shared<CodeBook>();
  std::vector<bool> unreadable;  // by code; empty: none
};

// The books of a column's dictionaries; batches that share a dictionary share a book.
class Books {
 public:
  Books(CellEncoder& encoder, std::size_t c, ColumnType type) : encoder_(&encoder), c_(c), type_(type) {}

  // Nothing where a cell has a text that is no number, and the model has numbers.
  std::shared_ptr<const CodeBook> of(const TypedPart& part, std::size_t rows) {
    const auto [known, is_new] = books_.try_emplace(part.texts.get());
    if (is_new) fill(*part.texts, known->second);
    const std::vector<bool>& unreadable = known->second.unreadable;
    bool readable = true;
    if (!unreadable.empty())
      data::visit_present(
          part.column, 0, rows,
          [&](std::size_t, double code) {
            readable &= code < 0 || !unreadable[static_cast<std::size_t>(code)];
          },
          [](std::size_t) {});
    return readable ? known->second.book : nullptr;
  }

 private:
  void fill(const data::Alphabet& texts, ColumnBook& column) {
    CodeBook* const book = column.book.get();
    const bool numeric = type_ == ColumnType::numeric;
    const std::vector<EncodedEntry> one = encoder_->number(c_, 1);
    for (FeatureId code = 0; code < texts.size(); ++code) {
      const std::string_view text = texts.name(code);
      double number = 1;
      FeatureId feature = one.empty() ? data::no_entry : one.front().feature;
      if (is_missing_cell(text)) {
        feature = data::missing_entry;
      } else if (numeric) {
        if (parse_cell_number(text, number) != NumberStatus::ok) {
          column.unreadable.resize(texts.size());
          column.unreadable[code] = true;
        }
      } else {
        const std::vector<EncodedEntry> found = encoder_->category(c_, text);
        feature = found.empty() ? data::no_entry : found.front().feature;
      }
      book->features.push_back(feature);
      if (numeric) book->values.push_back(number);
    }
  }

  CellEncoder* encoder_;
  std::size_t c_;
  ColumnType type_;
  std::map<const data::Alphabet*, ColumnBook> books_;
};

const TypedColumn* find_typed(const TypedTable& table, const std::string& name) {
  for (const TypedColumn& column : table.columns)
    if (column.name == name) return &column;
  return nullptr;
}

[[noreturn]] void fail_cell(const std::string& column, const std::string& message, const std::string& code) {
  ErrorDetail detail;
  detail.kind = ErrorKind::input;
  detail.message = message + ": column " + quote_text(column);
  detail.code = code;
  throw InputError(std::move(detail));
}

}  // namespace

void check_cells(const TypedTable& table) {
  parallel_blocks(table.columns.size(), [&](std::size_t c) {
    const TypedColumn& column = table.columns[c];
    for (std::size_t b = 0; b < column.parts.size(); ++b) {
      const TypedPart& part = column.parts[b];
      const double limit = part.texts == nullptr ? HUGE_VAL : static_cast<double>(part.texts->size());
      bool within = true;
      data::visit_present(
          part.column, 0, table.batch_rows[b],
          [&](std::size_t, double number) { within &= number < limit && number > -HUGE_VAL; },
          [](std::size_t) {});
      if (within) continue;
      if (part.texts != nullptr) fail_cell(column.name, "an index is outside its dictionary", "bad-code");
      fail_cell(column.name, "Input X contains infinity", "infinite");
    }
  });
}

std::optional<data::SparseMatrix> apply_typed(const TypedTable& table, const FixedNames& names) {
  const data::InputSpec& input = *names.input;
  if (input.kind != data::InputKind::columns || input.hash_bits || !input.derived.empty() ||
      input.missing != data::MissingPolicy::impute)
    return std::nullopt;
  std::vector<data::EncodedBatch> batches;
  for (const std::size_t rows : table.batch_rows) batches.push_back({rows, {}});
  CellEncoder encoder(names);
  for (std::size_t c = 0; c < input.columns.size(); ++c) {
    const data::ColumnSpec& spec = input.columns[c];
    const TypedColumn* const from = find_typed(table, spec.name);
    if (from == nullptr || (spec.type != ColumnType::numeric && spec.type != ColumnType::categorical))
      return std::nullopt;
    std::array<EncodedEntry, 2> missing = {};
    const std::vector<EncodedEntry> stand_ins = encoder.missing(c);
    std::copy(stand_ins.begin(), stand_ins.end(), missing.begin());
    Books books(encoder, c, spec.type);
    for (std::size_t b = 0; b < from->parts.size(); ++b) {
      const TypedPart& part = from->parts[b];
      data::EncodedColumn column = part.column;
      column.missing = missing;
      if (part.texts != nullptr) {
        column.book = books.of(part, table.batch_rows[b]);
        if (column.book == nullptr) return std::nullopt;
      } else {
        if (spec.type != ColumnType::numeric) return std::nullopt;
        const std::vector<EncodedEntry> found = encoder.number(c, 1);
        if (!found.empty()) column.feature = found.front().feature;
      }
      batches[b].columns.push_back(std::move(column));
    }
  }
  return data::encoded_rows_over(std::move(batches), names.num_features);
}

}  // namespace lazylogit::io
