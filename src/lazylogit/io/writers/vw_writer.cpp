// [label] [importance [base]] ['tag]| name:value …, all features in the default namespace.
#include <string>

#include "lazylogit/base/error.hpp"
#include "lazylogit/io/formats/vw_line.hpp"
#include "lazylogit/io/writers/writer.hpp"

namespace lazylogit::io {
namespace {

constexpr std::string_view separators = " \t|:";

void check_label(const std::string& label, const WriteContext& context) {
  const std::string line = label + " |";
  VwHead head;
  if (parse_vw_head(line, line.size() - 1, head).has_value() || head.label != label)
    cannot_hold(context, "vw", "the label " + quote_text(label), "csv, jsonl and npz can");
}

}  // namespace

void write_vw(Table& table, const WriteContext& context) {
  for (const auto& label : table.data().classes.labels()) check_label(label, context);
  for (const auto& name : table.names())
    if (name.empty() || name.find_first_of(separators) != std::string::npos)
      cannot_hold(context, "vw",
                  "the feature name " + quote_text(name) + " (blanks, bars and colons separate)",
                  "csv and jsonl can");
  std::string line;
  for (std::size_t i = 0; i < table.num_rows(); ++i) {
    const std::string_view label = table.label(i);
    const bool weighted = table.has_weights() && table.weight(i) != 1;
    const bool based = table.has_offsets() && table.offset(i) != 0;
    if (label.empty() && (weighted || based))
      cannot_hold(context, "vw", "a weight or an offset without a label", "csv, jsonl and npz can");
    line.assign(label);
    if (!line.empty()) line += ' ';
    if (weighted || based) append_shortest(line, table.has_weights() ? table.weight(i) : 1), line += ' ';
    if (based) append_shortest(line, table.offset(i)), line += ' ';
    if (table.has_ids() && !table.id(i).empty()) {
      if (table.id(i).find_first_of(" \t|") != std::string::npos)
        cannot_hold(context, "vw", "the id " + quote_text(table.id(i)), "csv, jsonl and npz can");
      line += '\'' + table.id(i);
    }
    line += '|';
    for (const Cell& cell : table.row(i)) {
      line += ' ' + table.names()[cell.feature];
      if (cell.value == 1) continue;
      line += ':';
      table.append_number(line, cell.value);
    }
    line += '\n';
    context.out.write(line);
  }
  if (table.has_ids()) context.log.notice("ids are written as tags: read them with --id tag");
}

}  // namespace lazylogit::io
