#include "lazylogit/cli/stream_run.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <mutex>
#include <optional>

#include "lazylogit/base/printable.hpp"
#include "lazylogit/cli/checkpoint.hpp"
#include "lazylogit/cli/exit_code.hpp"
#include "lazylogit/cli/model_input.hpp"
#include "lazylogit/cli/progress_text.hpp"
#include "lazylogit/cli/result.hpp"
#include "lazylogit/cli/signals.hpp"
#include "lazylogit/cli/stream_lines.hpp"
#include "lazylogit/cli/train_summary.hpp"
#include "lazylogit/io/growing_names.hpp"
#include "lazylogit/io/inputs.hpp"
#include "lazylogit/io/load.hpp"
#include "lazylogit/model/model_file.hpp"
#include "lazylogit/train/stream_trainer.hpp"

namespace lazylogit::cli {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

class StreamRun {
 public:
  StreamRun(StreamRequest& request, Session& session)
      : request_(request),
        session_(session),
        inputs_(io::expand_inputs(request.arguments, request.read.limits)),
        checkpoint_(request.stream),
        lines_(session.console) {
    if (request.warm_start.empty()) {
      input_ = io::outline_stream(inputs_, request.read, session.console);
      trainer_.emplace(request.train, input_, request.stream.window);
    } else {
      begin_at(model::load_model(request.warm_start));
    }
  }

  int operator()() {
    session_.console.set_phase("learning");
    try {
      learn();
      save_model();
    } catch (...) {
      keep_what_was_learned();
      throw;
    }
    say_summary();
    return exit_done;
  }

 private:
  void begin_at(model::Model model) {
    input_ = model.input;
    if (input_.text.tfidf || !model.idf.empty())
      throw ConfigError("the model weighs words by their frequency (--tfidf), which a stream does not know",
                        "warm-start");
    trainer_.emplace(request_.train, input_, request_.stream.window);
    trainer_->resume(model, session_.console);
    for (const std::string& label : trainer_->labels()) names_.labels.intern(label);
    if (!input_.hash_bits) names_.features = std::move(model.features);
  }

  void learn() {
    const io::ReadOptions& read = request_.read;
    const std::unique_ptr<io::RowSource> source =
        io::open_stream(std::move(inputs_), input_, names_, read, session_.console, session_.cancel);
    std::uint64_t to_skip = request_.stream.skip_rows;
    data::Rows rows;
    while (source->next(rows)) {
      const std::size_t first = static_cast<std::size_t>(std::min<std::uint64_t>(to_skip, rows.num_rows()));
      to_skip -= first;
      trainer_->learn(rows, first,
                      [this](const optim::RowOutcome&, double) { lines_.row(trainer_->progressive()); });
      if (checkpoint_.due(trainer_->num_rows())) write_checkpoint();
      if (request_.train.max_seconds && seconds_since(start_) >= *request_.train.max_seconds) {
        session_.console.notice(
            fmt::format("stopped by --max-seconds after {} rows", grouped(trainer_->num_rows())));
        break;
      }
    }
    read_ = source->summary();
    if (to_skip > 0)
      throw ConfigError(
          fmt::format("the stream has only {} rows", grouped(request_.stream.skip_rows - to_skip)),
          "skip-rows");
  }

  void save(OutputFile& out, bool with_state) {
    const std::lock_guard lock(names_.mutex);
    trainer_->save(names_.features, with_state, out);
  }

  void write_checkpoint() {
    if (trainer_->labels().size() < 2) return;
    checkpoint_.write([this](OutputFile& out) { save(out, true); });
  }

  // An error or a signal ends the stream: what has been learned is not lost.
  void keep_what_was_learned() {
    if (!checkpoint_.wanted() || trainer_->labels().size() < 2) return;
    lift_deadline();
    write_checkpoint();
    session_.console.notice(
        fmt::format("what {} rows taught is in {}; go on with --warm-start {} --skip-rows {}",
                    grouped(trainer_->num_rows()), printable(checkpoint_.file()),
                    printable(checkpoint_.file()), trainer_->num_rows()));
  }

  void save_model() {
    session_.cancel.throw_if_cancelled();
    session_.console.set_phase("writing");
    if (request_.out == nullptr) request_.out = std::make_unique<OutputFile>(request_.output);
    save(*request_.out, request_.stream.state);
    request_.out->commit();
  }

  void say_summary() {
    if (session_.general.quiet) return;
    const optim::ProgressiveLoss& progressive = trainer_->progressive();
    const auto line = [](std::string_view name, const std::string& text) {
      return fmt::format("{:<12} {}\n", name, text);
    };
    rusage usage = {};
    getrusage(RUSAGE_SELF, &usage);
    std::string text = line("model", printable(request_.output));
    text += line("rows", grouped(trainer_->num_rows()));
    text += line("features", grouped(trainer_->learner().num_features()));
    std::vector<ClassId> order;
    text += line("classes", classes_text(data::ClassTable::from_labels(trainer_->labels(), &order)));
    text += line("optimizer",
                 fmt::format("{}, {} prior", train::stream_learner(request_.train), request_.train.prior));
    text += line("progressive", StreamLines::summary(progressive));
    if (read_.bad_rows > 0) text += line("bad rows", fmt::format("{} skipped", grouped(read_.bad_rows)));
    text += line("time", duration_text(seconds_since(start_)));
    text += line("memory", amount_text(static_cast<double>(usage.ru_maxrss) * 1024, "bytes"));
    if (is_standard_output(request_.output))
      session_.console.notice(
          text.substr(0, text.find_last_not_of('\n') + 1));  // standard output holds the model
    else
      print_result(text);
  }

  StreamRequest& request_;
  Session& session_;
  Clock::time_point start_ = Clock::now();
  std::vector<io::Input> inputs_;
  data::InputSpec input_;
  io::GrowingNames names_;
  std::optional<train::StreamTrainer> trainer_;
  Checkpoint checkpoint_;
  StreamLines lines_;
  io::ReadSummary read_;
};

}  // namespace

void check_stream_reading(const io::ReadOptions& read) {
  if (read.min_count > 1)
    throw ConfigError("how often a feature occurs is known only after the last row", "min-count",
                      "leave it out");
  if (read.tfidf)
    throw ConfigError("how often a word occurs is known only after the last row", "tfidf", "leave it out");
}

int run_stream(StreamRequest request, Session& session) {
  return with_data_name(request.arguments, request.read.limits,
                        [&] { return StreamRun(request, session)(); });
}

}  // namespace lazylogit::cli
