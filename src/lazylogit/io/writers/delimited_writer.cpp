// csv and tsv: [id] label [weight] [offset] and one column per feature, zeros written out. The label column
// is there even when no row has a label: readers would take another column for it.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "lazylogit/base/error.hpp"
#include "lazylogit/io/columns/cell.hpp"
#include "lazylogit/io/writers/writer.hpp"

namespace lazylogit::io {
namespace {

// More than this is no table any more: 10,000 rows of it would fill 2 GB with zeros.
constexpr std::size_t max_named_columns = 100000;

class DelimitedWriter {
 public:
  DelimitedWriter(Table& table, const WriteContext& context, char delimiter, std::string_view format)
      : table_(table), context_(context), delimiter_(delimiter), format_(format) {}

  void write() {
    if (table_.names().size() > max_named_columns)
      cannot_hold(
          context_, format_,
          fmt::format("{} features as columns (at most {})", table_.names().size(), max_named_columns),
          "libsvm, vw, jsonl and npz write only what is not zero");
    for (const auto& label : table_.data().classes.labels())
      if (is_missing_cell(label))
        cannot_hold(context_, format_,
                    "the label " + quote_text(label) + ", which means a missing value there",
                    "vw, jsonl and npz can");
    write_header();
    for (std::size_t i = 0; i < table_.num_rows(); ++i) write_row(i);
  }

 private:
  // Role columns are called by their role; a feature of that name could not be told from it.
  void add_role(bool there, const char* name) {
    if (!there) return;
    for (const auto& feature : table_.names())
      if (std::equal(feature.begin(), feature.end(), name, name + std::string_view(name).size(),
                     [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a + ('a' - 'A') : a) == b; }))
        cannot_hold(context_, format_,
                    fmt::format("a feature called {} beside the column {}", quote_text(feature), name),
                    "jsonl can");
    add_field(name);
    if (std::string_view(name) != "label")
      context_.log.notice(fmt::format("column {}: read it with --{} {}", name, name, name));
  }
  void write_header() {
    add_role(table_.has_ids(), "id");
    add_role(true, "label");
    add_role(table_.has_weights(), "weight");
    add_role(table_.has_offsets(), "offset");
    for (const auto& name : table_.names()) add_field(name);
    end_line();
  }
  void write_row(std::size_t i) {
    if (table_.has_ids()) add_field(table_.id(i));
    add_field(table_.label(i));
    if (table_.has_weights()) add_number(table_.weight(i));
    if (table_.has_offsets()) add_number(table_.offset(i));
    std::size_t next = 0;
    for (const Cell& cell : table_.row(i)) {
      for (; next < cell.feature; ++next) add_raw("0");
      separate();
      table_.append_number(line_, cell.value);
      ++next;
    }
    for (; next < table_.names().size(); ++next) add_raw("0");
    end_line();
  }

  void separate() {
    if (num_fields_++ > 0) line_ += delimiter_;
  }
  void add_raw(std::string_view text) {
    separate();
    line_ += text;
  }
  void add_number(double value) {
    separate();
    append_shortest(line_, value);
  }
  void add_field(std::string_view text) {
    separate();
    const char special[] = {delimiter_, '"', '\n', '\r'};
    const bool plain =
        text.find_first_of(std::string_view(special, sizeof special)) == std::string_view::npos;
    if (delimiter_ == '\t') {
      if (text.find_first_of("\t\n\r") != std::string_view::npos)
        cannot_hold(context_, format_, "the text " + quote_text(text), "csv and jsonl can");
      line_ += text;  // tsv has no quoting: a quote is a quote
    } else if (plain && text == trimmed(text)) {
      line_ += text;
    } else {
      line_ += '"';
      for (const char c : text) line_.append(c == '"' ? 2 : 1, c);
      line_ += '"';
    }
  }
  static std::string_view trimmed(std::string_view text) {
    const std::size_t from = text.find_first_not_of(" \t");
    return from == std::string_view::npos ? std::string_view()
                                          : text.substr(from, text.find_last_not_of(" \t") - from + 1);
  }
  void end_line() {
    line_ += '\n';
    context_.out.write(line_);
    line_.clear();
    num_fields_ = 0;
  }

  Table& table_;
  const WriteContext& context_;
  char delimiter_;
  std::string_view format_;
  std::string line_;
  std::size_t num_fields_ = 0;
};

}  // namespace

void write_csv(Table& table, const WriteContext& context) {
  DelimitedWriter(table, context, ',', "csv").write();
}
void write_tsv(Table& table, const WriteContext& context) {
  DelimitedWriter(table, context, '\t', "tsv").write();
}

}  // namespace lazylogit::io
