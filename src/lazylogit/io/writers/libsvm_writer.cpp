// label index:value …, indices ascending from 1.
#include <string>

#include "lazylogit/base/error.hpp"
#include "lazylogit/io/formats/libsvm.hpp"
#include "lazylogit/io/writers/writer.hpp"

namespace lazylogit::io {

void write_libsvm(Table& table, const WriteContext& context) {
  if (table.has_weights()) cannot_hold(context, "libsvm", "example weights", "vw, csv, jsonl and npz can");
  if (table.has_offsets()) cannot_hold(context, "libsvm", "offsets", "vw, csv, jsonl and npz can");
  if (table.has_ids()) cannot_hold(context, "libsvm", "ids", "vw, csv, jsonl and npz can");
  for (const auto& label : table.data().classes.labels())
    if (!libsvm_carries_label(label))
      cannot_hold(context, "libsvm", "the label " + quote_text(label), "csv, jsonl and npz can");
  const Table::Numbering numbering = table.number_features();
  if (numbering.renamed)
    context.log.notice(
        "libsvm has no feature names: features are numbered from 1 in the byte order of their names");
  if (numbering.shifted) context.log.notice("libsvm counts features from 1: every index is raised by one");
  std::string line;
  for (std::size_t i = 0; i < table.num_rows(); ++i) {
    line.assign(table.label(i));
    for (const Cell& cell : table.row(i)) {
      if (!line.empty()) line += ' ';
      line += std::to_string(numbering.numbers[cell.feature]);
      line += ':';
      table.append_number(line, cell.value);
    }
    if (line.empty())
      cannot_hold(context, "libsvm", "a row without label and features", "vw, csv, jsonl and npz can");
    line += '\n';
    context.out.write(line);
  }
}

}  // namespace lazylogit::io
