#include "lazylogit/eval/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "lazylogit/base/printable.hpp"
#include "lazylogit/eval/metrics.hpp"
#include "lazylogit/eval/optional_number.hpp"

namespace lazylogit::eval {
namespace {

using nlohmann::json;

constexpr const char* unknown_name = "(unknown)";

std::string name_of(ClassId c, const data::ClassTable& classes) {
  return c == unknown_class ? unknown_name : printable(classes.label(c));
}

// Characters, not bytes: UTF-8 continuation bytes take no room.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(width > width_of(text) ? width - width_of(text) : 0, ' ');
}

std::size_t label_width(const data::ClassTable& classes) {
  std::size_t width = 9;
  for (const std::string& label : classes.labels()) width = std::max(width, width_of(printable(label)));
  return std::min<std::size_t>(width, 40) + 2;
}

std::string class_table(const Evaluation& e, const data::ClassTable& classes) {
  const std::size_t width = label_width(classes);
  std::string text = fmt::format("\n{}{:>10}{:>11}{:>9}{:>9}\n", padded("class", width), "support",
                                 "precision", "recall", "F1");
  for (std::size_t c = 0; c < e.classes.size(); ++c) {
    const ClassScores& own = e.classes[c];
    text += fmt::format("{}{:>10.8g}{:>11}{:>9}{:>9}\n",
                        padded(name_of(static_cast<ClassId>(c), classes), width), own.support,
                        text_or_dash(own.precision()), text_or_dash(own.recall()), text_or_dash(own.f1()));
  }
  return text;
}

std::string matrix_table(const Evaluation& e, const data::ClassTable& classes) {
  const std::size_t width = label_width(classes), count = classes.size();
  std::vector<std::vector<double>> cells(count + 1, std::vector<double>(count));
  for (const Confusion& pair : e.confusions)
    cells[static_cast<std::size_t>(pair.label + 1)][static_cast<std::size_t>(pair.prediction)] = pair.weight;
  std::string text = "\nconfusion matrix (rows: labels, columns: predictions)\n" + std::string(width, ' ');
  std::vector<std::size_t> widths;
  for (const std::string& label : classes.labels()) {
    const std::string name = printable(label);
    widths.push_back(std::max<std::size_t>(8, width_of(name)));
    text += "  " + std::string(widths.back() - width_of(name), ' ') + name;
  }
  text += '\n';
  for (std::size_t row = 1; row <= count + 1; ++row) {
    const std::size_t r = row % (count + 1);  // unknown labels last
    if (r == 0 && e.unknown_rows == 0) break;
    text += padded(name_of(static_cast<ClassId>(r) - 1, classes), width);
    for (std::size_t c = 0; c < count; ++c) text += fmt::format("  {:>{}.8g}", cells[r][c], widths[c]);
    text += '\n';
  }
  return text;
}

std::vector<Confusion> errors_by_weight(const Evaluation& e) {
  std::vector<Confusion> errors;
  for (const Confusion& pair : e.confusions)
    if (pair.label != pair.prediction) errors.push_back(pair);
  std::stable_sort(errors.begin(), errors.end(),
                   [](const auto& a, const auto& b) { return a.weight > b.weight; });
  return errors;
}

std::string worst_table(const Evaluation& e, const data::ClassTable& classes, std::size_t count) {
  const std::vector<Confusion> errors = errors_by_weight(e);
  if (errors.empty() || count == 0) return {};
  std::string text = "\nworst confusions\n";
  for (std::size_t i = 0; i < std::min(count, errors.size()); ++i)
    text += fmt::format("{:>8.8g}  {} taken for {}\n", errors[i].weight, name_of(errors[i].label, classes),
                        name_of(errors[i].prediction, classes));
  return text;
}

std::string calibration_table(const Evaluation& e) {
  std::string text = fmt::format("\n{:<18}{:>10}{:>14}{:>10}\n", "probability", "rows", "mean", "correct");
  for (const CalibrationBin& bin : e.calibration)
    if (bin.accuracy)
      text += fmt::format("{:<18}{:>10.8g}{:>14.4f}{:>10.4f}\n",
                          fmt::format("{:.3f} to {:.3f}", bin.lower, bin.upper), bin.weight,
                          *bin.mean_probability, *bin.accuracy);
  return text;
}

json matrix_json(const Evaluation& e, std::size_t classes) {
  constexpr std::size_t max_classes = 100;
  if (classes > max_classes) return nullptr;
  std::vector<std::vector<double>> cells(classes, std::vector<double>(classes));
  for (const Confusion& pair : e.confusions)
    if (pair.label != unknown_class)
      cells[static_cast<std::size_t>(pair.label)][static_cast<std::size_t>(pair.prediction)] = pair.weight;
  return cells;
}

}  // namespace

std::string report_text(const Evaluation& evaluation, const data::ClassTable& classes,
                        const ReportOptions& options) {
  std::string text = fmt::format("{:<28}{}\n", "rows", evaluation.rows);
  if (evaluation.unknown_rows > 0)
    text += fmt::format("{:<28}{}\n", "unknown labels", evaluation.unknown_rows);
  if (evaluation.weight != static_cast<double>(evaluation.rows))
    text += fmt::format("{:<28}{:.8g}\n", "weight", evaluation.weight);
  for (const Metric& metric : metrics()) {
    const auto value = metric.get(evaluation);
    std::string name = metric.name;
    std::replace(name.begin(), name.end(), '_', ' ');
    text += fmt::format("{:<28}{}{}{}\n", name, value ? fmt::format("{:.6g}", *value) : "-",
                        *metric.unit == '\0' || !value ? "" : " ", value ? metric.unit : "");
  }
  if (evaluation.auc_left_out)
    text += "the AUC was left out: the scores of all classes do not fit into memory\n";
  text += class_table(evaluation, classes);
  if (classes.size() <= options.max_matrix_classes) text += matrix_table(evaluation, classes);
  if (classes.size() > 2) text += worst_table(evaluation, classes, options.worst_confusions);
  return text + calibration_table(evaluation);
}

std::string report_json(const Evaluation& evaluation, const data::ClassTable& classes) {
  json object{
      {"rows", evaluation.rows}, {"unknown_labels", evaluation.unknown_rows}, {"weight", evaluation.weight}};
  for (const Metric& metric : metrics()) object[metric.name] = number_or_null(metric.get(evaluation));
  json per_class = json::array(), confusions = json::array(), calibration = json::array();
  for (std::size_t c = 0; c < evaluation.classes.size(); ++c) {
    const ClassScores& own = evaluation.classes[c];
    per_class.push_back({{"label", classes.label(static_cast<ClassId>(c))},
                         {"support", own.support},
                         {"predicted", own.predicted},
                         {"precision", number_or_null(own.precision())},
                         {"recall", number_or_null(own.recall())},
                         {"f1", number_or_null(own.f1())},
                         {"auc", number_or_null(own.auc)}});
  }
  for (const Confusion& pair : evaluation.confusions)
    confusions.push_back(
        {{"label", pair.label == unknown_class ? json(nullptr) : json(classes.label(pair.label))},
         {"prediction", classes.label(pair.prediction)},
         {"weight", pair.weight}});
  for (const CalibrationBin& bin : evaluation.calibration)
    calibration.push_back({{"lower", bin.lower},
                           {"upper", bin.upper},
                           {"weight", bin.weight},
                           {"mean_probability", number_or_null(bin.mean_probability)},
                           {"accuracy", number_or_null(bin.accuracy)}});
  object["classes"] = std::move(per_class);
  object["confusions"] = std::move(confusions);
  object["confusion_matrix"] = matrix_json(evaluation, classes.size());
  object["calibration"] = std::move(calibration);
  return object.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace lazylogit::eval
