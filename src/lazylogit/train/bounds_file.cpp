#include "lazylogit/train/bounds_file.hpp"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "lazylogit/base/counted.hpp"

namespace lazylogit::train {
namespace {

double parse_bound(const std::string& file, const CsvField& field, const char* what, double none) {
  if (field.text.empty()) return none;
  if (field.text == "-inf" || field.text == "-Inf") return -HUGE_VAL;
  return parse_number(file, field, what, {.allow_infinite = true, .allow_negative = true});
}

optim::Interval parse_line(const std::string& file, const CsvRecord& record) {
  if (record.size() != 4) throw_at(file, record[0], counted(record.size(), "field") + "; expected 4");
  const optim::Interval interval{parse_bound(file, record[2], "lower", -HUGE_VAL),
                                 parse_bound(file, record[3], "upper", HUGE_VAL)};
  if (interval.lower > interval.upper)
    throw_at(file, record[2],
             fmt::format("the lower bound {} is above the upper bound {}", interval.lower, interval.upper));
  if (interval.lower == HUGE_VAL || interval.upper == -HUGE_VAL)
    throw_at(file, record[interval.lower == HUGE_VAL ? 2 : 3], "no number lies within the bounds");
  return interval;
}

std::vector<CsvRecord> load_records(const std::string& file) {
  std::vector<CsvRecord> records = load_small_csv(file);
  if (records.empty())
    throw_at(file, {{}, 1, 1}, "the file is empty; expected a header and one line per bound");
  const CsvRecord& header = records[0];
  if (header.size() != 4 || header[0].text != "feature" || header[1].text != "class" ||
      header[2].text != "lower" || header[3].text != "upper")
    throw_at(file, header[0], "the header does not fit; expected \"feature,class,lower,upper\"");
  records.erase(records.begin());
  return records;
}

}  // namespace

void check_bounds_file(const std::string& file) {
  for (const CsvRecord& record : load_records(file)) parse_line(file, record);
}

optim::Bounds load_bounds(const std::string& file, const CoefficientNames& names,
                          const prior::PriorTable& prior, Log& log) {
  const std::size_t size = prior.size();
  optim::Bounds bounds{math::Vector(size, -HUGE_VAL), math::Vector(size, HUGE_VAL)};
  CoefficientFinder finder(file, names, log);
  for (const CsvRecord& record : load_records(file)) {
    const optim::Interval interval = parse_line(file, record);
    finder.for_each(record[0], record[1], [&](std::size_t i) {
      bounds.lower[i] = interval.lower;
      bounds.upper[i] = interval.upper;
      if (prior.pinned(i) && interval.clamp(prior.mean(i)) != prior.mean(i))
        throw_at(file, record[0],
                 fmt::format("the prior pins {} to {}, outside its bounds", quote_text(record[0].text),
                             prior.mean(i)));
    });
  }
  finder.finish();
  return bounds;
}

}  // namespace lazylogit::train
