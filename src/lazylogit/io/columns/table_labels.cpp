#include "lazylogit/io/columns/table_labels.hpp"

#include <string>

namespace lazylogit::io {

std::vector<ClassId> TableLabels::add(const RowBlock& rows) {
  std::vector<ClassId> to_table(rows.labels.size(), unknown_class);
  for (const std::uint32_t label : rows.row_labels) {
    if (label == no_label || to_table[label] != unknown_class) continue;
    to_table[label] = static_cast<ClassId>(names_.intern(rows.labels.canonical(label)));
    if (names_.size() > options_->limits.max_classes && options_->response == data::Response::classes)
      throw IoError({}, "more classes than the limit of " + std::to_string(options_->limits.max_classes),
                    "--max-classes raises it");
  }
  return to_table;
}

}  // namespace lazylogit::io
