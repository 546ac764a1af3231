#include "lazylogit/train/findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <string_view>
#include <utility>

#include "lazylogit/base/error.hpp"
#include "lazylogit/data/feature_moments.hpp"
#include "lazylogit/model/model.hpp"
#include "lazylogit/objective/fewest_features.hpp"
#include "lazylogit/train/label_findings.hpp"

namespace lazylogit::train {
namespace {

constexpr std::size_t most_named = 3;

std::string name_of(const data::Alphabet& names, std::size_t feature) {
  if (names.empty()) return "#" + std::to_string(feature);
  return quote_text(names.name(static_cast<FeatureId>(feature)));
}

std::string list_names(const data::Alphabet& names, const std::vector<std::size_t>& features) {
  std::vector<std::string> named;
  for (std::size_t k = 0; k < std::min(most_named, features.size()); ++k)
    named.push_back(name_of(names, features[k]));
  std::string text = fmt::format("{}", fmt::join(named, ", "));
  if (features.size() > most_named) text += fmt::format(" and {} more", features.size() - most_named);
  return text;
}

// A number per column that equal columns share; sums of hashed entries, so the order of rows is kept.
std::vector<std::uint64_t> column_prints(const data::SparseMatrix& x) {
  std::vector<std::uint64_t> prints(x.num_features, 0);
  x.visit_rows([&](const auto& rows) {
    for (std::size_t j = 0; j < rows.num_rows; ++j) {
      const auto row = rows.row(j);
      for (std::size_t k = 0; k < row.size(); ++k) {
        std::uint64_t z = std::bit_cast<std::uint64_t>(row.value(k)) + (j + 1) * 0x9e3779b97f4a7c15ULL;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        prints[row.ids[k]] += z ^ (z >> 31);
      }
    }
  });
  return prints;
}

// A family of priors leaves coefficients free where a file, or a strength of 0, says so.
std::string separation_advice(std::string_view family) {
  if (family == prior::Uniform::name)
    return "without a prior the error has no finite optimum; use --prior gaussian or --prior cauchy";
  return fmt::format("the {} prior leaves these free, and the error has no finite optimum; give them {}",
                     family,
                     family == prior::ElasticNet::name ? "an l1 or l2 above 0"
                     : family == prior::Cauchy::name   ? "a finite scale in the prior file"
                                                       : "a finite variance in the prior file");
}

}  // namespace

bool names_constants(const data::Dataset& data) {
  return data.kernel == nullptr && data.input.response == data::Response::classes &&
         data.input.kind != data::InputKind::columns;
}

std::string remedy_of(const data::Dataset& data) {
  return data.input.kind == data::InputKind::columns ? "drop some with --ignore"
                                                     : "leave some out of the data";
}

std::string separation_message(const Prepared& prepared, const objective::CertificateNames& names,
                               const objective::Separation& separation) {
  const objective::Problem problem = prepared.problem();
  const std::vector<std::size_t> features =
      objective::features_by_share(problem, objective::free_coordinates(problem), separation.direction);
  return fmt::format(
      "the classes are {} separated (class {} by {}): {}",
      separation.complete ? "completely" : "quasi-completely",
      quote_text(names.classes->label(objective::separated_class(problem, separation.direction))),
      features.empty() ? std::string(model::intercept_name) : list_names(*names.features, features),
      separation_advice(prepared.prior.family()));
}

namespace {

std::string scale_sentence(const data::FeatureMoments& moments, const data::Alphabet& names,
                           bool standardized) {
  std::size_t widest = 0, narrowest = 0;
  bool any = false;
  for (std::size_t i = 0; i < moments.deviations.size(); ++i) {
    if (moments.deviations[i] == 0) continue;
    if (!any || moments.deviations[i] > moments.deviations[widest]) widest = i;
    if (!any || moments.deviations[i] < moments.deviations[narrowest]) narrowest = i;
    any = true;
  }
  if (!any || moments.deviations[widest] <= 1e4 * moments.deviations[narrowest]) return {};
  // Those within a factor of 100 of the widest, the widest first.
  std::vector<std::size_t> wide;
  for (std::size_t i = 0; i < moments.deviations.size(); ++i)
    if (moments.deviations[i] >= 0.01 * moments.deviations[widest]) wide.push_back(i);
  std::stable_sort(wide.begin(), wide.end(), [&](std::size_t a, std::size_t b) {
    return moments.deviations[a] > moments.deviations[b];
  });
  std::string list;
  for (std::size_t k = 0; k < std::min(most_named, wide.size()); ++k)
    list += fmt::format("{} {} is {:.2g}", k == 0 ? "the deviation of" : ", that of", name_of(names, wide[k]),
                        moments.deviations[wide[k]]);
  if (wide.size() > most_named) list += fmt::format(", {} more are near it", wide.size() - most_named);
  return fmt::format("features differ wildly in scale: {}, but that of {} {:.2g}; {}", list,
                     name_of(names, narrowest), moments.deviations[narrowest],
                     standardized ? "divide wide columns by a power of ten" : "try --standardize scale");
}

}  // namespace

std::string scale_finding(const Prepared& prepared, const data::Alphabet& names, bool standardized) {
  return scale_sentence(data::feature_moments(prepared.rows->x, prepared.weights), names, standardized);
}

std::vector<std::string> slow_features(const Prepared& prepared, const data::Dataset& data,
                                       bool standardized) {
  const data::FeatureMoments moments = data::feature_moments(data.x, prepared.weights);
  std::vector<std::string> sentences;
  std::vector<std::size_t> constant;
  const bool table = data.input.kind == data::InputKind::columns;
  const bool told = names_constants(data) && !suspect_features(data, prepared.weights).constants.empty();
  for (std::size_t i = 0; i < moments.means.size() && !told; ++i)
    if (moments.deviations[i] == 0 && moments.means[i] != 0) constant.push_back(i);
  if (!constant.empty())
    sentences.push_back(fmt::format("constant in every row: {}{}", list_names(data.features, constant),
                                    table ? "; drop with --ignore" : ""));
  const std::vector<std::uint64_t> prints = column_prints(data.x);
  std::vector<std::size_t> order(prints.size()), duplicates;
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return prints[a] < prints[b]; });
  for (std::size_t k = 1; k < order.size(); ++k)
    if (prints[order[k]] == prints[order[k - 1]] && prints[order[k]] != 0) duplicates.push_back(order[k]);
  std::sort(duplicates.begin(), duplicates.end());
  if (!duplicates.empty())
    sentences.push_back(
        fmt::format("equal to another feature in every row: {}", list_names(data.features, duplicates)));
  if (const std::string sentence = scale_sentence(moments, data.features, standardized); !sentence.empty())
    sentences.push_back(sentence);
  return sentences;
}

}  // namespace lazylogit::train
