// What knowing how sure a model is costs, against the fit and the plug-in prediction of the same run (CPU time).
//   posterior diagonal and low-rank (rank 50), news20-like: at most 3 fits; memory at most (rank + 4) numbers a coefficient
//   probit predictions: at most 3 times plug-in ones, diagonal in memory, low-rank from text
//   approximate leave-one-out of every row, rcv1-like: at most 5 fits
// Usage: uncertainty_bench [rows of news] [rows of rcv]
#include <cstdio>
#include <filesystem>
#include <string>

#include "lazylogit/bayes/laplace_posterior.hpp"
#include "lazylogit/bayes/predictive.hpp"
#include "lazylogit/io/load.hpp"
#include "lazylogit/objective/certificate.hpp"
#include "lazylogit/train/outliers.hpp"
#include "lazylogit/train/prepared.hpp"
#include "lazylogit/train/trainer.hpp"
#include "support/measure.hpp"
#include "support/synthetic_data.hpp"

namespace {

using namespace lazylogit;
using model::PosteriorKind;

constexpr std::size_t rank = 50;

struct Silent final : optim::Observer {
  void on_pass(const optim::PassReport&) override {}
};

struct Fitted {
  std::string file;
  data::Dataset data;
  model::Model model;
  double fit_seconds = 0;
};

io::FixedNames names_of(const model::Model& model) {
  return {&model.input, &model.features, &model.idf, &model.classes, model.shape.num_features};
}

// One more fit to the same rows; its time counts if it is the least so far.
void refit(Fitted& fitted) {
  Silent observer;
  model::Model model;
  const double seconds =
      bench::time_of([&] {
        model = train::train(fitted.data, {}, nullptr, nullptr, observer, silent_log(), {}).model;
      }).cpu;
  fitted.data.features = model.features;
  if (fitted.fit_seconds == 0 || seconds < fitted.fit_seconds) fitted.fit_seconds = seconds;
  if (fitted.model.coefficients.empty()) fitted.model = std::move(model);
}

Fitted fit(const bench::SyntheticOptions& options) {
  Fitted result;
  result.file = std::filesystem::temp_directory_path() / "lazylogit_uncertainty_bench.svm";
  bench::write_synthetic(options, result.file, "");
  result.data = std::move(io::load({result.file}, {}, silent_log(), {}).data);
  refit(result);
  result.model.features.build_index();
  return result;
}

void report(const char* what, double seconds, double against, double aim) {
  std::printf("  %-46s %8.2f s  %6.2f x  (aim %g)\n", what, seconds, seconds / against, aim);
}

void posteriors(Fitted& fitted) {
  const train::Prepared prepared = train::prepare_check(fitted.model, fitted.data, silent_log());
  // As in training: beside the objective that the certificate has just used.
  objective::Posterior objective(prepared.problem());
  objective::certify(objective, fitted.model.coefficients, {});
  const double coefficients = static_cast<double>(fitted.model.shape.size());
  for (const PosteriorKind kind : {PosteriorKind::diagonal, PosteriorKind::low_rank}) {
    const auto make = [&] {
      return bayes::approximate_posterior(objective, fitted.model.coefficients, fitted.model.record,
                                          {.kind = kind, .rank = rank}, {}, {});
    };
    const bool low = kind == PosteriorKind::low_rank;
    const auto peak = static_cast<double>(bench::peak_bytes_of([&] { make(); }));
    double seconds = 0;
    for (int repeat = 0; repeat < 3; ++repeat) {
      const double once = bench::time_of([&] { fitted.model.posterior = make(); }).cpu;
      if (repeat == 0 || once < seconds) seconds = once;
      refit(fitted);
    }
    report(low ? "posterior low-rank, with evidence" : "posterior diagonal, with evidence", seconds,
           fitted.fit_seconds, 3);
    std::printf("  %-46s %8.1f numbers a coefficient  (aim %zu)\n", "  its memory", peak / 8 / coefficients,
                (low ? rank : 0) + 4);
    const model::Predictor predictor(fitted.model);
    const bayes::PosteriorPredictor probit(predictor, {.form = bayes::PredictiveForm::probit});
    model::Predictions out;
    const auto detail = model::Predictor::Detail::probabilities;
    if (!low) {
      const double plug_in = bench::best_of(3, [&] { predictor.predict(fitted.data, detail, out); }).cpu;
      report("probit predictions in memory, diagonal",
             bench::best_of(3,
                            [&] {
                              probit.predict(fitted.data, {0, fitted.data.num_rows()}, detail, out);
                            })
                 .cpu,
             plug_in, 3);
      continue;
    }
    const auto from_text = [&](const auto& use) {
      const auto source = io::open_rows({fitted.file}, names_of(fitted.model), {}, silent_log(), {});
      data::Rows rows;
      while (source->next(rows)) use(rows);
    };
    const double plug_in = bench::best_of(3, [&] {
                             from_text([&](const data::Rows& rows) { predictor.predict(rows, detail, out); });
                           }).cpu;
    report("probit predictions from text, low-rank",
           bench::best_of(3,
                          [&] {
                            from_text([&](const data::Rows& rows) {
                              probit.predict(rows, {0, rows.num_rows()}, detail, out);
                            });
                          })
               .cpu,
           plug_in, 3);
  }
}

}  // namespace

int main(int count, char** arguments) {
  const long news_rows = count > 1 ? bench::count_from(arguments[1]) : 16000;
  const long rcv_rows = count > 2 ? bench::count_from(arguments[2]) : 20000;
  {
    Fitted news = fit({.kind = bench::Kind::news, .classes = 20, .rows = news_rows});
    std::printf("news20-like: %zu rows, %zu features, 20 classes; a fit takes %.2f s\n", news.data.num_rows(),
                news.model.shape.num_features, news.fit_seconds);
    posteriors(news);
  }
  Fitted rcv = fit({.kind = bench::Kind::rcv, .rows = rcv_rows});
  std::printf("rcv1-like: %zu rows, %zu features; a fit takes %.2f s\n", rcv.data.num_rows(),
              rcv.model.shape.num_features, rcv.fit_seconds);
  report("approximate leave-one-out of every row",
         bench::time_of([&] { train::Outliers(rcv.model, rcv.data, {}, silent_log(), {}); }).cpu,
         rcv.fit_seconds, 5);
  std::filesystem::remove(rcv.file);
  return 0;
}
