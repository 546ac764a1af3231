#include "lazylogit/train/tuning_folds.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lazylogit/base/counted.hpp"
#include "lazylogit/base/error.hpp"
#include "lazylogit/data/folds.hpp"

namespace lazylogit::train {
namespace {

// What folds are stratified by: the class, or the rarest label of a row plus one (0: none).
std::vector<ClassId> strata_of(const data::Dataset& data, const objective::Problem& problem) {
  const data::Response response = problem.shape.response;
  if (response == data::Response::classes && data.choice_ends.empty())
    return {data.labels.begin(), data.labels.end()};
  std::vector<ClassId> strata(data.num_rows(), 0);
  if (response != data::Response::labels) return strata;
  std::vector<std::size_t> counts(data.classes.size(), 0);
  for (std::size_t j = 0; j < data.num_rows(); ++j)
    for (const ClassId c : data.label_sets[j])
      if (problem.weight(j) > 0) ++counts[static_cast<std::size_t>(c)];
  for (std::size_t j = 0; j < data.num_rows(); ++j)
    for (const ClassId c : data.label_sets[j])
      if (strata[j] == 0 ||
          counts[static_cast<std::size_t>(c)] < counts[static_cast<std::size_t>(strata[j] - 1)])
        strata[j] = c + 1;
  return strata;
}

// The rows of the choices whose first rows are given.
std::vector<std::size_t> whole_choices(const data::Dataset& data, const std::vector<std::size_t>& firsts) {
  std::vector<std::size_t> rows;
  for (const std::size_t first : firsts) {
    const std::size_t last = *std::upper_bound(data.choice_ends.begin(), data.choice_ends.end(), first);
    for (std::size_t j = first; j < last; ++j) rows.push_back(j);
  }
  return rows;
}

}  // namespace

std::vector<std::vector<std::size_t>> deal_folds(const data::Dataset& data, const Prepared& prepared,
                                                 const TuneSettings& settings, std::uint64_t seed, Log& log) {
  const objective::Problem problem = prepared.problem();
  const bool choices = !data.choice_ends.empty();
  const std::vector<ClassId> strata = strata_of(data, problem);
  // Of choices the first rows are dealt.
  const auto takes_part = [&](std::size_t j) {
    return problem.weight(j) > 0 &&
           (!choices || j == 0 || std::binary_search(data.choice_ends.begin(), data.choice_ends.end(), j));
  };
  std::vector<std::size_t> counts(data.classes.size() + 1, 0), rows;
  for (std::size_t j = 0; j < data.num_rows(); ++j)
    if (takes_part(j)) ++counts[static_cast<std::size_t>(strata[j])];
  for (std::size_t j = 0; j < data.num_rows(); ++j)
    if (takes_part(j) && counts[static_cast<std::size_t>(strata[j])] > 1) rows.push_back(j);
  const auto single = std::count(counts.begin(), counts.end(), 1U);
  if (rows.size() < settings.folds)
    throw ConfigError(fmt::format("{} folds need as many {}s; there {} {}{}", settings.folds,
                                  choices ? "choice" : "row", is_or_are(rows.size()), rows.size(),
                                  single > 0 ? " in classes of more than one row" : ""),
                      "folds");
  if (single > 0)
    log.notice(fmt::format("{} of a single row {} never held out",
                           counted(static_cast<std::uint64_t>(single), "class"),
                           is_or_are(static_cast<std::uint64_t>(single))));
  const bool classes = problem.shape.response == data::Response::classes && !choices;
  for (std::size_t c = 0; classes && c < data.classes.size(); ++c)
    if (counts[c] > 1 && counts[c] < settings.folds)
      log.notice(fmt::format("class {} has {}: some folds hold out none of it",
                             quote_text(data.classes.label(static_cast<ClassId>(c))),
                             counted(counts[c], "row")));
  std::vector<std::vector<std::size_t>> all;
  for (std::size_t repeat = 0; repeat < settings.repeats; ++repeat)
    for (std::vector<std::size_t>& fold :
         data::stratified_folds(rows, strata, settings.folds, seed + repeat)) {
      std::sort(fold.begin(), fold.end());
      all.push_back(choices ? whole_choices(data, fold) : std::move(fold));
    }
  return all;
}

}  // namespace lazylogit::train
