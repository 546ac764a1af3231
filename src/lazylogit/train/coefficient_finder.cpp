#include "lazylogit/train/coefficient_finder.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "lazylogit/base/error.hpp"
#include "lazylogit/base/standard_input.hpp"
#include "lazylogit/config/nearest.hpp"
#include "lazylogit/data/feature_hash.hpp"
#include "lazylogit/data/slot_name.hpp"
#include "lazylogit/model/model.hpp"
#include "lazylogit/train/class_field.hpp"

namespace lazylogit::train {

void CoefficientFinder::for_each(const CsvField& feature, const CsvField& label,
                                 const std::function<void(std::size_t)>& set) {
  const auto range = vectors(label);  // no structured binding: clang 14 cannot capture one
  const model::Shape& shape = names_.shape;
  const auto set_row = [&](std::size_t f) {
    for (std::size_t v = range.first; v < range.second; ++v) set(shape.index(f, v));
  };
  if (feature.text == "*") {
    for (std::size_t f = 0; f < shape.num_features; ++f) set_row(f);
  } else if (const auto found = find_feature(feature)) {
    set_row(*found);
  }
}

void CoefficientFinder::finish() {
  if (num_unknown_ <= most_reported) return;
  const auto more = num_unknown_ - most_reported;
  log_.warning(
      {.kind = ErrorKind::input,
       .message =
           more == 1
               ? std::string("1 more line names a feature that the data has not; it has no effect")
               : fmt::format("{} more lines name features that the data has not; they have no effect", more),
       .file = input_name(file_)});
}

std::pair<std::size_t, std::size_t> CoefficientFinder::vectors(const CsvField& field) const {
  if (field.text == "*") return {0, names_.shape.num_vectors()};
  const ClassId c = find_class(file_, field, *names_.classes);
  const auto vector = names_.shape.vector_of(c);
  if (!vector)
    throw_at(file_, field, "class " + quote_text(field.text) + " is the reference, which has no coefficients",
             "choose another one with --reference, or use --symmetric");
  return {*vector, *vector + 1};
}

std::optional<std::size_t> CoefficientFinder::find_feature(const CsvField& field) {
  const bool intercept = field.text == model::intercept_name;
  const bool hashed = names_.hash_bits && !data::is_slot_name(field.text);
  if (intercept && names_.shape.has_intercept) return names_.shape.num_features;
  const std::string name =
      hashed ? data::slot_name(data::feature_slot(field.text, *names_.hash_bits)) : field.text;
  if (!intercept)
    if (const auto id = names_.features->find(name)) return *id;
  if (++num_unknown_ > most_reported) return std::nullopt;
  if (intercept || names_.hash_bits) {
    log_.warning({.kind = ErrorKind::input,
                  .message = (intercept ? "the model has no intercept"
                                        : "no row of the data has a feature in the slot " + name +
                                              (hashed ? " of " + quote_text(field.text) : "")) +
                             "; the line has no effect",
                  .file = input_name(file_),
                  .line = field.line,
                  .column = field.column});
    return std::nullopt;
  }
  std::vector<std::string> candidates;
  for (std::size_t i = 0; i < names_.features->size() && i < 100'000; ++i)
    candidates.emplace_back(names_.features->name(static_cast<FeatureId>(i)));
  log_.warning({.kind = ErrorKind::input,
                .message = "the data has no feature " + quote_text(field.text) + "; the line has no effect",
                .hint = config::did_you_mean(field.text, candidates),
                .file = input_name(file_),
                .line = field.line,
                .column = field.column});
  return std::nullopt;
}

}  // namespace lazylogit::train
