#include "lazylogit/cli/holdout_input.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <set>
#include <utility>

#include "lazylogit/base/error.hpp"
#include "lazylogit/cli/model_input.hpp"
#include "lazylogit/config/value.hpp"
#include "lazylogit/data/split.hpp"
#include "lazylogit/io/load.hpp"

namespace lazylogit::cli {
namespace {

// A fraction, or nothing when the text names a file.
std::optional<double> parse_fraction(const std::string& text) {
  const auto fraction = config::parse_real(text);
  if (fraction && !(*fraction > 0 && *fraction < 1))
    throw ConfigError(
        fmt::format("found {}, expected a fraction between 0 and 1 or a file", quote_text(text)), "holdout",
        "write a file called like a number as ./" + text);
  return fraction;
}

}  // namespace

HoldoutPlan plan_holdout(const std::string& holdout, const io::ReadOptions& read,
                         const train::TrainOptions& options) {
  HoldoutPlan plan;
  if (!holdout.empty()) plan.fraction = parse_fraction(holdout);
  if (!holdout.empty() && !plan.fraction) plan.files = expanded_names({holdout}, read.limits);
  if (!plan.files.empty() && !read.labels_file.empty())
    throw ConfigError("the labels of --labels are those of the training data, not of a held-out file",
                      "holdout", "hold out a fraction, or use .npz files with labels of their own");
  if (options.early_stopping.value_or(0) > 0 && holdout.empty())
    throw ConfigError("there are no held-out rows to watch", "early-stopping", "add --holdout 0.2");
  return plan;
}

void warn_about_trained_on(const HoldoutPlan& plan, const std::vector<std::string>& data, Log& log) {
  std::set<std::pair<dev_t, ino_t>> trained_on;
  struct stat status = {};
  if (!plan.files.empty())
    for (const std::string& file : data)
      if (::stat(file.c_str(), &status) == 0) trained_on.emplace(status.st_dev, status.st_ino);
  for (const std::string& file : plan.files)
    if (::stat(file.c_str(), &status) == 0 && trained_on.count({status.st_dev, status.st_ino}) > 0)
      log.warning({.kind = ErrorKind::input,
                   .message = "the held-out data is trained on, too: its scores say nothing about new rows",
                   .hint = "--holdout 0.2 keeps rows out",
                   .file = file,
                   .code = "holdout-is-trained-on"});
}

std::optional<data::Rows> load_holdout(const HoldoutPlan& plan, data::Dataset& data,
                                       const io::ReadOptions& read, const train::TrainOptions& options,
                                       Session& session) {
  if (plan.fraction) return data::take_holdout(data, *plan.fraction, options.seed);
  if (plan.files.empty()) return std::nullopt;
  data.features.build_index();
  const io::FixedNames names{&data.input, &data.features, &data.idf, &data.classes, data.x.num_features};
  data::Rows rows = with_data_name(plan.files, read.limits, [&] {
    return io::load_with(plan.files, names, read, session.console, session.cancel, nullptr);
  });
  if (rows.num_rows() == 0)
    throw_with_name(InputError({.message = "no rows to hold out, expected one or more", .code = "no-rows"}),
                    plan.files, read.limits);
  return rows;
}

}  // namespace lazylogit::cli
