// Rows as Python holds them: borrowed from its own arrays or made by the engine, with names where there are some.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lazylogit/base/log.hpp"
#include "lazylogit/data/dataset.hpp"

namespace lazylogit::python {

// What the engine says, kept for Python's warnings.
class Messages final : public Log {
 public:
  void warning(const ErrorDetail& detail) override {
    warnings.push_back(detail.message + (detail.hint.empty() ? "" : "; " + detail.hint));
  }
  void notice(std::string_view text) override { notices.emplace_back(text); }
  std::vector<std::string> warnings, notices;
};

// Borrowed memory is kept alive by Python: the table's object holds a reference to the arrays it was made of.
struct Table {
  data::Dataset data;  // names, labels and classes may be absent: then features are numbers
  std::shared_ptr<const void> ids_owner = {};      // of column numbers that all rows share
  std::shared_ptr<const void> batches_owner = {};  // of Arrow's memory
  std::vector<std::string> warnings = {}, notices = {};
};

}  // namespace lazylogit::python
