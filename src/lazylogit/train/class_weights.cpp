#include "lazylogit/train/class_weights.hpp"

#include <set>
#include <string>

#include "lazylogit/base/counted.hpp"
#include "lazylogit/train/class_field.hpp"

namespace lazylogit::train {
namespace {

std::vector<double> balanced(std::size_t num_classes, std::span<const ClassId> labels,
                             std::span<const double> weights) {
  std::vector<double> totals(num_classes, 0.0);
  double total = 0;
  for (std::size_t j = 0; j < labels.size(); ++j) {
    const double w = weights.empty() ? 1.0 : weights[j];
    totals[static_cast<std::size_t>(labels[j])] += w;
    total += w;
  }
  double present = 0;
  for (const double t : totals) present += t > 0 ? 1 : 0;
  std::vector<double> factors(num_classes, 1.0);
  for (std::size_t c = 0; c < num_classes; ++c)
    if (totals[c] > 0) factors[c] = total / (present * totals[c]);
  return factors;
}

struct WeightLine {
  CsvField label;
  double weight;
};

std::vector<WeightLine> load_lines(const std::string& file) {
  const std::vector<CsvRecord> records = load_small_csv(file);
  if (records.empty() || records[0].size() != 2 || records[0][0].text != "class" ||
      records[0][1].text != "weight")
    throw_at(file, records.empty() ? CsvField{{}, 1, 1} : records[0][0],
             "the header is not that of a file of class weights; expected \"class,weight\"");
  std::vector<WeightLine> lines;
  std::set<std::string> named;  // "1" and "1.0" are one class
  for (std::size_t r = 1; r < records.size(); ++r) {
    if (records[r].size() != 2)
      throw_at(file, records[r][0], counted(records[r].size(), "field") + "; expected 2 (class,weight)");
    const CsvField& label = records[r][0];
    if (!named.insert(data::canonical_label(label.text).value_or(label.text)).second)
      throw_at(file, label, "the class " + quote_text(label.text) + " has a weight already; expected one");
    lines.push_back({label, parse_number(file, records[r][1], "weight", {})});
  }
  if (lines.empty()) throw_at(file, records[0][0], "no class is named; expected a line for one or more");
  return lines;
}

}  // namespace

void check_class_weights(const std::string& file) { load_lines(file); }

std::vector<std::pair<std::string, double>> load_class_weights(const std::string& file) {
  std::vector<std::pair<std::string, double>> factors;
  for (const WeightLine& line : load_lines(file))
    factors.emplace_back(data::canonical_label(line.label.text).value_or(line.label.text), line.weight);
  return factors;
}

std::vector<double> class_weights(const std::string& choice, const data::ClassTable& classes,
                                  std::span<const ClassId> labels, std::span<const double> weights) {
  if (choice.empty()) return {};
  if (choice == "balanced") return balanced(classes.size(), labels, weights);
  std::vector<double> factors(classes.size(), 1.0);
  for (const WeightLine& line : load_lines(choice)) {
    const ClassId c = find_class(choice, line.label, classes);
    factors[static_cast<std::size_t>(c)] = line.weight;
  }
  return factors;
}

}  // namespace lazylogit::train
