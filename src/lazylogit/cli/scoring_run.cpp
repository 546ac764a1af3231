#include "lazylogit/cli/scoring_run.hpp"

#include "lazylogit/base/standard_input.hpp"
#include "lazylogit/cli/model_input.hpp"
#include "lazylogit/cli/output_options.hpp"
#include "lazylogit/model/kernel_coordinates.hpp"
#include "lazylogit/model/model_file.hpp"
#include "lazylogit/model/predictor.hpp"

namespace lazylogit::cli {
namespace {

std::string checked_output(const std::vector<std::string>& arguments, const std::vector<std::string>& data,
                           const std::string& output, const io::ReadOptions& read) {
  std::vector<std::string> named = arguments;
  if (!read.labels_file.empty()) named.push_back(read.labels_file);
  refuse_standard_input_twice(named);
  std::vector<std::string> inputs = expanded_names(data, read.limits);
  inputs.push_back(arguments[0]);
  if (!read.labels_file.empty()) inputs.push_back(read.labels_file);
  check_output(output, inputs);
  return output.empty() ? "-" : output;
}

}  // namespace

ScoringRun::ScoringRun(const std::vector<std::string>& arguments, const std::string& output,
                       const io::ReadOptions& read, const model::ContainerLimits& limits, Session& session)
    : data_(arguments.begin() + 1, arguments.end()),
      read_(read),
      session_(session),
      out_(checked_output(arguments, data_, output, read)),
      model_(load_whole_model(arguments[0], limits)) {
  read_.response = model_.input.response;
}

void ScoringRun::use_training_coordinates() { model_ = model::in_training_coordinates(std::move(model_)); }

// A row that cannot be scored is counted from the first one of all.
void ScoringRun::use_block(const data::Rows& rows, std::size_t before,
                           const std::function<void(const data::Rows&)>& use) const {
  try {
    use(rows);
  } catch (const model::ScoreOverflow& error) {
    throw_with_name(model::ScoreOverflow(before + error.row()), data_, read_.limits);
  }
}

io::ReadSummary ScoringRun::for_each_block(const std::function<void(const data::Rows&)>& use) {
  if (!model_.input.choices.column.empty()) {  // candidates of a choice belong together
    io::ReadSummary summary;
    const data::Rows rows = load(summary);
    if (rows.num_rows() > 0) use_block(rows, 0, use);
    session_.cancel.throw_if_cancelled();
    return summary;
  }
  const auto source = io::open_rows(data_, fixed_names(model_), read_, session_.console, session_.cancel);
  const model::RowMapper map(model_);
  data::Rows rows;
  std::size_t before = 0;
  while (with_data_name(data_, read_.limits, [&] { return source->next(rows); })) {
    session_.cancel.throw_if_cancelled();
    map(rows);
    use_block(rows, before, use);
    before += rows.num_rows();
  }
  session_.cancel.throw_if_cancelled();
  return source->summary();
}

data::Rows ScoringRun::load(io::ReadSummary& summary) const {
  return load_rows(model_, data_, read_, session_, &summary);
}

void ScoringRun::reject(std::string message) const {
  throw_with_name(InputError({.message = std::move(message)}), data_, read_.limits);
}

void ScoringRun::finish(const io::ReadSummary& summary) {
  out_.commit();
  session_.console.notice(read_summary_text(summary));
}

}  // namespace lazylogit::cli
