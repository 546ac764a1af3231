#include "lazylogit/io/responses.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lazylogit/io/label_dictionary.hpp"

namespace lazylogit::io {
namespace {

// What a number is called in tables of coefficients and in prior files.
std::string name_of_target(const data::InputSpec& input) {
  return input.target.empty() || !input.has_header ? "target" : input.target;
}

std::uint32_t interned(LabelDictionary& dictionary, const std::string& label, const std::string& file) {
  const auto id = dictionary.intern(label);
  if (!id)
    throw InputError(
        {.message = "found the label " + quote_text(label) + ", expected " + dictionary.expected(),
         .file = file,
         .found = quote_text(label),
         .expected = dictionary.expected(),
         .code = "bad-label"});
  return *id;
}

void make_numbers(data::Dataset& data, const std::string& file) {
  if (data.targets.empty()) {
    LabelDictionary dictionary;
    dictionary.set_response(data::Response::number);
    for (const std::string& label : data.classes.labels()) interned(dictionary, label, file);
    for (const ClassId c : data.labels)
      data.targets.push_back(c == unknown_class ? std::numeric_limits<double>::quiet_NaN()
                                                : dictionary.number(static_cast<std::uint32_t>(c)));
  }
  data.labels.clear();
  data.classes = data::ClassTable::from_ordered({name_of_target(data.input)});
}

void make_sets(data::Dataset& data, const std::string& file) {
  LabelDictionary dictionary;
  dictionary.set_response(data::Response::labels);
  data::Alphabet names;
  std::vector<std::vector<FeatureId>> sets;
  for (const std::string& label : data.classes.labels()) {
    auto& set = sets.emplace_back();
    for (const std::string_view one : labels_of_set(dictionary.canonical(interned(dictionary, label, file))))
      set.push_back(names.intern(one));
    if (names.size() > max_labels)
      throw LimitError({.message = "found more than " + std::to_string(max_labels) +
                                   " different labels, which is the limit with --multilabel",
                        .file = file,
                        .code = "too-many-labels"});
  }
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < names.size(); ++i) labels.emplace_back(names.name(static_cast<FeatureId>(i)));
  std::vector<ClassId> order;
  data.classes = data::ClassTable::from_labels(labels, &order);
  std::vector<ClassId> own;
  for (const ClassId c : data.labels) {
    own.clear();
    if (c != unknown_class)
      for (const FeatureId i : sets[static_cast<std::size_t>(c)]) own.push_back(order[i]);
    std::sort(own.begin(), own.end());
    data.label_sets.push_back(own);
  }
  data.labels.clear();
}

}  // namespace

void apply_response(data::Dataset& data, const ReadOptions& options, const std::string& file) {
  data.input.response = options.response;
  if (options.response == data::Response::number) make_numbers(data, file);
  if (options.response == data::Response::labels) make_sets(data, file);
}

}  // namespace lazylogit::io
