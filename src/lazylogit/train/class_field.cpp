#include "lazylogit/train/class_field.hpp"

#include "lazylogit/config/nearest.hpp"

namespace lazylogit::train {

ClassId find_class(const std::string& file, const CsvField& field, const data::ClassTable& classes) {
  const std::string label = data::canonical_label(field.text).value_or(field.text);
  const ClassId found = classes.find(label);
  if (found != unknown_class) return found;
  constexpr std::size_t few = 6;
  std::string message = "the data has no class " + quote_text(field.text);
  for (std::size_t c = 0; c < classes.size() && classes.size() <= few; ++c)
    message += (c == 0                   ? ", expected "
                : c + 1 < classes.size() ? ", "
                                         : " or ") +
               quote_text(classes.label(static_cast<ClassId>(c)));
  throw_at(file, field, message, config::did_you_mean(label, classes.labels()));
}

}  // namespace lazylogit::train
