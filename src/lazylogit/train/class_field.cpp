#include "lazylogit/train/class_field.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lazylogit/config/nearest.hpp"

namespace lazylogit::train {

std::string expected_classes(const data::ClassTable& classes) {
  constexpr std::size_t few = 6;
  std::string list;
  for (std::size_t c = 0; c < std::min(few, classes.size()); ++c) {
    const bool last = c + 1 == classes.size();
    list += (c == 0 ? ", expected "
             : last ? " or "
                    : ", ") +
            quote_text(classes.label(static_cast<ClassId>(c)));
  }
  if (classes.size() > few) list += fmt::format(" or one of {} more", classes.size() - few);
  return list;
}

ClassId find_class(const std::string& file, const CsvField& field, const data::ClassTable& classes) {
  const std::string label = data::canonical_label(field.text).value_or(field.text);
  const ClassId found = classes.find(label);
  if (found != unknown_class) return found;
  throw_at(file, field, "the data has no class " + quote_text(field.text) + expected_classes(classes),
           config::did_you_mean(label, classes.labels()));
}

}  // namespace lazylogit::train
