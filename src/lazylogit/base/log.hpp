// How the silent library speaks: the caller passes a Log; the default one drops everything.
//
// Warnings carry the same fields as errors. Notices are one sentence for a person ("target column: income").
// Progress is for anything that may take over two seconds; it may be called from one thread at a time, often.
#pragma once

#include <cstdint>
#include <string_view>

#include "lazylogit/base/error.hpp"

namespace lazylogit {

struct Progress {
  std::string_view phase;   // "reading", "training", "predicting", ...
  std::uint64_t done = 0;   // in `unit`s
  std::uint64_t total = 0;  // 0: not known
  std::string_view unit;    // "bytes", "rows", "passes"
};

class Log {
 public:
  virtual ~Log() = default;
  virtual void warning(const ErrorDetail&) {}
  virtual void notice(std::string_view) {}
  virtual void progress(const Progress&) {}
};

// A log that drops everything; shared by callers that do not care.
Log& silent_log() noexcept;

}  // namespace lazylogit
