#include "lazylogit/cli/stream_run.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <filesystem>
#include <mutex>
#include <optional>

#include "lazylogit/base/counted.hpp"
#include "lazylogit/base/parallel.hpp"
#include "lazylogit/base/printable.hpp"
#include "lazylogit/cli/checkpoint.hpp"
#include "lazylogit/cli/exit_code.hpp"
#include "lazylogit/cli/model_input.hpp"
#include "lazylogit/cli/progress_text.hpp"
#include "lazylogit/cli/result.hpp"
#include "lazylogit/cli/signals.hpp"
#include "lazylogit/cli/stream_lines.hpp"
#include "lazylogit/cli/train_summary.hpp"
#include "lazylogit/io/choices.hpp"
#include "lazylogit/io/growing_names.hpp"
#include "lazylogit/io/inputs.hpp"
#include "lazylogit/io/load.hpp"
#include "lazylogit/model/model_file.hpp"
#include "lazylogit/optim/online/grid_steps.hpp"
#include "lazylogit/optim/online/kalman_filter.hpp"
#include "lazylogit/train/optimizer_choice.hpp"
#include "lazylogit/train/stream_trainer.hpp"
#include "lazylogit/train/trainer.hpp"

namespace lazylogit::cli {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::string rows_text(std::uint64_t count) { return grouped(count) + " " + plural(count, "row"); }

class StreamRun {
 public:
  StreamRun(StreamRequest& request, Session& session)
      : request_(request),
        session_(session),
        inputs_(io::expand_inputs(request.arguments, request.read.limits)),
        options_(train::grid_options(request.train, request.stream.grid)),
        checkpoint_(request.stream),
        lines_(session.console, request.read.response, is_choices()) {
    if (request.warm_start.empty()) {
      input_ = io::outline_stream(inputs_, request.read, session.console);
      model::check_header(input_, request.model_limits);
      begin_grid();
    } else {
      begin_at(load_whole_model(request.warm_start, request.model_limits));
    }
  }

  int operator()() {
    session_.console.set_phase("learning");
    if (const auto warning = train::schedule_warning(request_.train, train::stream_learner(request_.train)))
      session_.console.warning(*warning);
    try {
      learn();
      warn_of_absent_classes();
      save_model();
    } catch (...) {
      keep_what_was_learned();
      throw;
    }
    if (request_.stream.regret) find_regret();
    say_summary();
    return exit_done;
  }

 private:
  void begin_grid() {
    std::vector<std::unique_ptr<optim::OnlineLearner>> together;
    if (options_.size() > 1 && train::stream_learner(options_.front()) == "adagrad" && !is_choices()) {
      std::vector<optim::OnlineSettings> settings;
      for (const train::TrainOptions& options : options_) {
        settings.push_back(train::online_settings(options));
        settings.back().hashed = input_.hash_bits.has_value();
      }
      together = optim::make_grid_steps(settings);
    }
    side_by_side_ = !together.empty();
    together.resize(options_.size());
    for (std::size_t i = 0; i < options_.size(); ++i)
      trainers_.push_back(std::make_unique<train::StreamTrainer>(options_[i], input_, request_.stream.window,
                                                                 std::move(together[i])));
  }

  void begin_at(model::Model model) {
    if (model.kernel != nullptr)
      throw ConfigError("a stream learns no kernels, as the model does", "warm-start");
    if (model.input.choices.column != request_.read.choices)
      throw ConfigError(
          model.input.choices.column.empty()
              ? std::string("the model does not choose among candidates")
              : "the model chooses among candidates told apart by " + quote_text(model.input.choices.column),
          "warm-start", "--choices must be as it was");
    if (is_choices()) io::apply_choices(model.input.choices, inputs_, request_.read);
    input_ = model.input;
    input_.derived.num_base = 0;  // new features come after all others
    if (input_.text.tfidf || !model.idf.empty())
      throw ConfigError("the model weighs words by their frequency (--tfidf), which a stream does not know",
                        "warm-start");
    trainers_.push_back(
        std::make_unique<train::StreamTrainer>(options_.front(), input_, request_.stream.window));
    trainers_.front()->resume(model, session_.console);
    for (const std::string& label : trainers_.front()->labels()) names_.labels.intern(label);
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
      learn_block(rows, first);
      if (checkpoint_.due(best().num_rows())) write_checkpoint();
      if (request_.train.max_seconds && seconds_since(start_) >= *request_.train.max_seconds) {
        session_.console.notice("stopped by --max-seconds after " + rows_text(best().num_rows()));
        break;
      }
    }
    read_ = source->summary();
    if (to_skip > 0)
      throw ConfigError("the stream has only " + rows_text(request_.stream.skip_rows - to_skip), "skip-rows");
  }

  void learn_block(const data::Rows& rows, std::size_t first) {
    if (trainers_.size() == 1) {
      train::StreamTrainer& trainer = *trainers_.front();
      trainer.learn(rows, first,
                    [&](const optim::RowOutcome&, double) { lines_.row(trainer.progressive()); });
      return;
    }
    // Models of a grid know nothing of each other: threads change no byte. Those that learn side by side take their turns.
    if (side_by_side_ && trainers_.front()->labels().size() <= 2)
      for (const auto& trainer : trainers_) trainer->learn(rows, first);
    else
      parallel_blocks(trainers_.size(), [&](std::size_t i) { trainers_[i]->learn(rows, first); });
    lines_.row(best().progressive());
  }

  void warn_of_absent_classes() {
    for (const std::string& label : trainers_.front()->weighted_in_vain())
      session_.console.warning({.kind = ErrorKind::input,
                                .message = fmt::format("the data has no class {}", quote_text(label)),
                                .file = request_.train.class_weights,
                                .code = "unknown-class"});
  }

  std::size_t best_position() const {
    std::size_t best = 0;
    for (std::size_t i = 1; i < trainers_.size(); ++i)
      if (trainers_[i]->progressive().all().loss < trainers_[best]->progressive().all().loss) best = i;
    return best;
  }
  const train::StreamTrainer& best() const { return *trainers_[best_position()]; }

  void save(OutputFile& out, bool with_state) {
    const std::lock_guard lock(names_.mutex);
    best().save(names_.features, with_state, out, request_.model_limits);
  }

  bool is_choices() const { return !request_.read.choices.empty(); }

  // Whether what was learned so far can be written.
  bool is_a_model() const {
    return best().num_rows() > 0 &&
           best().labels().size() >= (request_.read.response == data::Response::classes ? 2 : 1);
  }

  void write_checkpoint() {
    if (!is_a_model()) return;
    checkpoint_.write([this](OutputFile& out) { save(out, true); });
  }

  // An error or a signal ends the stream: what has been learned is not lost.
  void keep_what_was_learned() {
    if (!checkpoint_.wanted() || !is_a_model()) return;
    lift_deadline();
    try {
      write_checkpoint();
    } catch (const Error& problem) {  // what ended the stream is what is told
      session_.console.notice("the checkpoint could not be written: " + std::string(problem.what()));
      return;
    }
    session_.console.notice(fmt::format("what {} taught is in {}; go on with --warm-start {} --skip-rows {}",
                                        rows_text(best().num_rows()), printable(checkpoint_.file()),
                                        printable(checkpoint_.file()), best().num_rows()));
  }

  void save_model() {
    session_.cancel.throw_if_cancelled();
    session_.console.set_phase("writing");
    if (request_.out == nullptr) request_.out = std::make_unique<OutputFile>(request_.output);
    save(*request_.out, request_.stream.state);
    request_.out->commit();
  }

  // (1/N) Σ loss before learning − (1/N) Σ loss under the exact fit of all rows, under the same prior.
  void find_regret() {
    session_.console.set_phase("regret");
    train::TrainOptions options;
    const train::TrainOptions& own = options_[best_position()];
    options.prior = train::stream_learner(own) == "perceptron" ? "uniform" : own.prior;
    options.variance = own.variance;
    options.scale = own.scale;
    options.l1 = own.l1;
    options.l2 = own.l2;
    options.intercept = own.intercept;
    options.prior_intercept = own.prior_intercept;
    options.symmetric = own.symmetric;
    options.loss = own.loss;
    options.multilabel = own.multilabel;
    options.class_weights = own.class_weights;
    io::ReadOptions read = request_.read;
    read.drop_first_category = options.prior == "uniform";
    io::Loaded loaded = io::load(request_.arguments, read, session_.console, session_.cancel);
    const double weight = best().progressive().all().weight;
    optim::Observer nobody;
    const train::TrainResult fit =
        train::train(loaded.data, options, nullptr, nullptr, nobody, session_.console, session_.cancel);
    const double hindsight = -fit.model.record.log_likelihood / weight;
    const double progressive = best().progressive().all().log_loss();
    regret_ = fmt::format(
        "{:.6g} = {:.6g} (progressive {}) - {:.6g} (of the best fixed model in hindsight)",
        progressive - hindsight, progressive,
        request_.read.response == data::Response::number ? "mean of half the squared error" : "log loss",
        hindsight);
  }

  void say_summary() {
    if (session_.general.quiet) return;
    const optim::ProgressiveLoss& progressive = best().progressive();
    const auto line = [](std::string_view name, const std::string& text) {
      return fmt::format("{:<12} {}\n", name, text);
    };
    rusage usage = {};
    getrusage(RUSAGE_SELF, &usage);
    std::string text = line("model", printable(request_.output));
    text += line("rows", grouped(best().num_rows()));
    text += line("features", grouped(best().learner().num_features()));
    std::vector<ClassId> order;
    text += line(request_.read.response == data::Response::number   ? "predicts"
                 : request_.read.response == data::Response::labels ? "labels"
                                                                    : "classes",
                 classes_text(data::ClassTable::from_labels(best().labels(), &order)));
    if (request_.read.response == data::Response::number && train::stream_learner(request_.train) == "adf" &&
        best().learner().num_features() > optim::most_full)
      text += line("belief", fmt::format("independent variances: beyond {} features the filter is not exact",
                                         grouped(optim::most_full)));
    text += line("optimizer",
                 fmt::format("{}, {} prior", train::stream_learner(request_.train), request_.train.prior));
    text += line("progressive", lines_.summary(progressive));
    for (std::size_t i = 0; trainers_.size() > 1 && i < trainers_.size(); ++i)
      text += line(
          i == 0 ? "grid" : "",
          fmt::format("{} {:g}: log loss {:.6g}{}", options_[i].variance ? "variance" : "scale",
                      options_[i].variance ? *options_[i].variance : *options_[i].scale,
                      trainers_[i]->progressive().all().log_loss(), i == best_position() ? ", kept" : ""));
    if (!regret_.empty()) text += line("regret", regret_);
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
  std::vector<train::TrainOptions> options_;  // one for each model of the grid
  std::vector<std::unique_ptr<train::StreamTrainer>> trainers_;
  bool side_by_side_ = false;  // one learner works for all of them (optim/online/grid_steps.hpp)
  Checkpoint checkpoint_;
  StreamLines lines_;
  io::ReadSummary read_;
  std::string regret_;
};

}  // namespace

void check_stream(const train::StreamOptions& stream, const train::TrainOptions& options,
                  const std::vector<std::string>& arguments, const std::string& warm_start, bool choices) {
  train::check_stream_options(options, choices);
  train::grid_options(options, stream.grid);
  if (!stream.grid.empty() && !warm_start.empty())
    throw ConfigError("a model holds the state of one model, not of a grid", "grid",
                      "leave it or --warm-start out");
  if (!stream.regret) return;
  if (!warm_start.empty() || stream.skip_rows > 0)
    throw ConfigError("it is about all rows of one run", "regret", "leave out --warm-start and --skip-rows");
  for (const std::string& name : arguments)
    if (name == "-" || (std::filesystem::exists(name) && !std::filesystem::is_regular_file(name)))
      throw ConfigError("it reads the data a second time, which a pipe does not allow", "regret",
                        "name files");
}

void check_stream_reading(const io::ReadOptions& read) {
  if (read.min_count > 1)
    throw ConfigError("how often a feature occurs is known only after the last row", "min-count",
                      "leave it out");
  if (read.tfidf)
    throw ConfigError("how often a word occurs is known only after the last row", "tfidf", "leave it out");
  if (!read.derived.bins.empty())
    throw ConfigError("quantiles are known only after the last row", "bins",
                      "train on the first rows without --stream, then go on with --warm-start");
}

int run_stream(StreamRequest request, Session& session) {
  return with_data_name(request.arguments, request.read.limits,
                        [&] { return StreamRun(request, session)(); });
}

}  // namespace lazylogit::cli
