#include "lazylogit/train/learning_curve.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "lazylogit/base/error.hpp"
#include "lazylogit/base/random.hpp"
#include "lazylogit/data/split.hpp"
#include "lazylogit/train/judgement.hpp"
#include "lazylogit/train/trainer.hpp"

namespace lazylogit::train {
namespace {

std::size_t num_examples(const data::Dataset& data) {
  return data.choice_ends.empty() ? data.num_rows() : data.choice_ends.size();
}

// The rows of examples, ascending.
std::vector<std::size_t> rows_of(const data::Dataset& data, std::span<const std::size_t> examples) {
  std::vector<std::size_t> rows;
  for (const std::size_t i : examples) {
    const bool choice = !data.choice_ends.empty();
    const std::size_t from = !choice ? i : i == 0 ? 0 : data.choice_ends[i - 1];
    for (std::size_t j = from; j < (choice ? data.choice_ends[i] : i + 1); ++j) rows.push_back(j);
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

// The rarest label of each row; the number of labels where there is none.
std::vector<std::size_t> rarest_labels(const data::Dataset& data) {
  std::vector<std::size_t> counts(data.classes.size(), 0), rarest(data.num_rows(), data.classes.size());
  for (const ClassId c : data.label_sets.ids) ++counts[static_cast<std::size_t>(c)];
  for (std::size_t j = 0; j < rarest.size(); ++j)
    for (const ClassId c : data.label_sets[j]) {
      const auto label = static_cast<std::size_t>(c);
      if (rarest[j] == counts.size() || counts[label] < counts[rarest[j]]) rarest[j] = label;
    }
  return rarest;
}

// Examples so that every beginning of the list has the classes in proportion.
std::vector<std::size_t> stratified_order(const data::Dataset& data, std::uint64_t seed) {
  std::vector<std::size_t> rows(num_examples(data));
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  Random(seed).shuffle(std::span(rows));
  std::vector<double> counts(data.classes.size() + 1, 0.0), seen(counts.size(), 0.0), rank(rows.size());
  const bool sets = !data.label_sets.empty(), choices = !data.choice_ends.empty();
  const std::vector<std::size_t> rarest = sets ? rarest_labels(data) : std::vector<std::size_t>();
  const auto class_of = [&](std::size_t j) {
    if (sets) return rarest[j];
    if (choices || data.labels.empty()) return std::size_t{0};
    return data.labels[j] == unknown_class ? counts.size() - 1 : static_cast<std::size_t>(data.labels[j]);
  };
  for (const std::size_t j : rows) ++counts[class_of(j)];
  for (const std::size_t j : rows) rank[j] = (seen[class_of(j)]++ + 0.5) / counts[class_of(j)];
  std::stable_sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) { return rank[a] < rank[b]; });
  return rows;
}

}  // namespace

std::vector<std::size_t> curve_sizes(std::size_t rows, std::size_t num_classes) {
  constexpr std::size_t parts = 10, least_per_class = 5;
  constexpr double widest = 512;
  const auto all = static_cast<double>(rows);
  const double first = std::max({all / widest, static_cast<double>(least_per_class * num_classes), 2.0});
  std::vector<std::size_t> sizes;
  for (std::size_t k = 0; k < parts && first < all; ++k) {
    const double size = first * std::pow(all / first, static_cast<double>(k) / (parts - 1));
    sizes.push_back(static_cast<std::size_t>(std::lround(size)));
  }
  sizes.push_back(rows);
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

std::vector<CurvePoint> learning_curve(const data::Dataset& data, const TrainOptions& options,
                                       const data::Rows& held_out,
                                       const std::function<void(const CurvePoint&)>& on_point,
                                       const CancelToken& cancel) {
  const std::vector<std::size_t> order = stratified_order(data, options.seed);
  std::vector<CurvePoint> curve;
  optim::Observer nobody;
  TrainOptions plain = options;
  plain.posterior = "none";
  plain.early_stopping.reset();
  for (const std::size_t size :
       curve_sizes(num_examples(data), data.choice_ends.empty() ? data.classes.size() : 1)) {
    cancel.throw_if_cancelled();
    const std::vector<std::size_t> which = rows_of(data, std::span(order).first(size));
    data::Dataset part;
    static_cast<data::Rows&>(part) = data::copy_rows(data, which);
    part.features = data.features;
    part.classes = data.classes;
    part.input = data.input;
    part.idf = data.idf;
    part.kernel = data.kernel;
    try {
      const model::Model model = train(part, plain, nullptr, nullptr, nobody, silent_log(), cancel).model;
      const Judgement inside = judge(model, part), outside = judge(model, held_out);
      curve.push_back({size, inside.loss, outside.loss, outside.score});
    } catch (const InputError&) {  // too few rows of too few classes
      continue;
    }
    if (on_point) on_point(curve.back());
  }
  return curve;
}

}  // namespace lazylogit::train
