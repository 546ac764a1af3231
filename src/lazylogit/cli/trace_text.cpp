#include "lazylogit/cli/trace_text.hpp"

#include <fmt/format.h>

#include <utility>

#include "lazylogit/base/processor_time.hpp"
#include "lazylogit/cli/csv_field.hpp"

namespace lazylogit::cli {

std::string trace_header() {
  return "optimizer,passes,seconds,cpu_seconds,error,relative_gap,gradient_norm,step,learning_rate,holdout_"
         "log_loss,"
         "accepted\n";
}

std::string trace_line(std::string_view optimizer, const optim::PassReport& report, double cpu_seconds,
                       double relative_gap) {
  return fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", optimizer, report.pass, csv_number(report.seconds),
                     csv_number(cpu_seconds), csv_number(report.error), csv_number(relative_gap),
                     csv_number(report.gradient_norm), csv_number(report.step),
                     csv_number(report.learning_rate), csv_number(report.holdout_log_loss),
                     report.accepted ? 1 : 0);
}

TraceRecorder::TraceRecorder(std::string optimizer, optim::Observer& next)
    : optimizer_(std::move(optimizer)), next_(next), text_(trace_header()), began_(processor_seconds()) {}

void TraceRecorder::on_pass(const optim::PassReport& report) {
  write(report);
  next_.on_pass(report);
}

void TraceRecorder::on_trial(const optim::PassReport& report) {
  write(report);
  next_.on_trial(report);
}

void TraceRecorder::write(const optim::PassReport& report) {
  text_ += trace_line(optimizer_, report, processor_seconds() - began_, report.relative_gap);
}

}  // namespace lazylogit::cli
