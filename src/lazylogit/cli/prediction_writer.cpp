#include "lazylogit/cli/prediction_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "lazylogit/base/error.hpp"
#include "lazylogit/cli/csv_field.hpp"
#include "lazylogit/model/explain.hpp"

namespace lazylogit::cli {
namespace {

constexpr char set_separator = '|';

std::vector<std::string> csv_columns(const model::Model& model, const PredictionOptions& options,
                                     const std::string& id_name) {
  std::vector<std::string> names;
  if (!id_name.empty()) names.push_back(id_name);
  names.insert(names.end(), {"prediction", "probability"});
  if (options.intervals) names.insert(names.end(), {"lower", "upper"});
  if (options.set) names.emplace_back("set");
  for (std::size_t k = 2; k <= std::min<std::size_t>(options.top, model.classes.size()); ++k)
    names.insert(names.end(), {fmt::format("prediction_{}", k), fmt::format("probability_{}", k)});
  if (options.proba) names.insert(names.end(), model.classes.labels().begin(), model.classes.labels().end());
  if (options.proba && options.intervals)
    for (const std::string& label : model.classes.labels())
      names.insert(names.end(), {label + "_lower", label + "_upper"});
  if (options.explain) names.emplace_back("explanation");
  return names;
}

std::vector<std::string> json_keys(const std::string& id_name) {
  std::vector<std::string> names{"prediction",    "probability", "lower", "upper",      "set",
                                 "probabilities", "intervals",   "top",   "explanation"};
  if (!id_name.empty()) names.push_back(id_name);
  return names;
}

// Two columns of one name could not be told apart by whoever reads them.
void check_distinct(std::vector<std::string> names, const std::string& id_name) {
  std::sort(names.begin(), names.end());
  const auto twin = std::adjacent_find(names.begin(), names.end());
  if (twin == names.end()) return;
  const bool is_id = *twin == id_name;
  throw ConfigError("two columns of the predictions would be called " + quote_text(*twin),
                    is_id ? "id" : "proba",
                    is_id ? "rename the column of ids" : "--output jsonl keeps the classes apart");
}

void check_joinable(const model::Model& model, const PredictionOptions& options) {
  for (const std::string& label : model.classes.labels())
    if (options.set && label.find(set_separator) != std::string::npos)
      throw ConfigError(
          fmt::format("the class {} has the character | in its name, which joins the classes of a set",
                      quote_text(label)),
          "set", "--output jsonl keeps the classes apart");
}

// What both forms need of a row.
class WriterBase : public PredictionWriter {
 public:
  WriterBase(const model::Model& model, const PredictionOptions& options, std::string id_name,
             double threshold)
      : model_(model), options_(options), id_name_(std::move(id_name)), threshold_(threshold) {}

  std::string records(const data::Rows& rows, const model::Predictions& predictions, std::size_t first,
                      std::size_t last) const override {
    std::string out;
    for (std::size_t row = first; row < last; ++row) append_record(out, rows, predictions, row);
    return out;
  }

 protected:
  virtual void append_record(std::string& out, const data::Rows& rows, const model::Predictions& predictions,
                             std::size_t row) const = 0;

  bool decided(double probability) const { return !options_.threshold || probability >= *options_.threshold; }
  std::size_t num_classes() const { return model_.classes.size(); }
  const double* probabilities(const model::Predictions& predictions, std::size_t row) const {
    return predictions.probabilities.data() + row * num_classes();
  }
  std::vector<ClassId> set_of(const model::Predictions& predictions, std::size_t row) const {
    std::vector<ClassId> classes;
    model::conformal_set({probabilities(predictions, row), num_classes()}, threshold_, classes);
    return classes;
  }
  // The classes of the K largest probabilities, the first of equals first.
  std::vector<ClassId> ranking(const double* probabilities) const {
    std::vector<ClassId> order(num_classes());
    std::iota(order.begin(), order.end(), ClassId{0});
    const std::size_t count = std::min<std::size_t>(options_.top, order.size());
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(),
                      [&](ClassId a, ClassId b) {
                        return probabilities[a] != probabilities[b] ? probabilities[a] > probabilities[b]
                                                                    : a < b;
                      });
    order.resize(count);
    return order;
  }

  const model::Model& model_;
  PredictionOptions options_;
  std::string id_name_;
  double threshold_;  // of the sets
};

class CsvWriter final : public WriterBase {
 public:
  CsvWriter(const model::Model& model, const PredictionOptions& options, std::string id_name,
            double threshold)
      : WriterBase(model, options, std::move(id_name), threshold) {
    for (const std::string& label : model.classes.labels()) quoted_labels_.push_back(csv_field(label));
  }

  std::string header() const override {
    std::string out;
    for (const std::string& name : csv_columns(model_, options_, id_name_))
      out += (out.empty() ? "" : ",") + csv_field(name);
    return out + "\n";
  }

 private:
  void append_record(std::string& out, const data::Rows& rows, const model::Predictions& predictions,
                     std::size_t row) const override {
    if (!id_name_.empty()) {
      if (!rows.ids.empty()) append_csv_field(out, rows.ids[row]);
      out += ',';
    }
    const double best = predictions.best_probability[row];
    if (decided(best)) out += quoted_labels_[static_cast<std::size_t>(predictions.best[row])];
    out += ',';
    append_number(out, best);
    if (options_.intervals) append_bounds(out, predictions.lower[row], predictions.upper[row]);
    if (options_.set) append_set(out, set_of(predictions, row));
    if (options_.top > 1) append_runners_up(out, probabilities(predictions, row));
    if (options_.proba) {
      const double* p = probabilities(predictions, row);
      for (std::size_t c = 0; c < num_classes(); ++c) {
        out += ',';
        append_number(out, p[c]);
      }
      for (std::size_t c = 0; options_.intervals && c < num_classes(); ++c)
        append_bounds(out, predictions.class_lower[row * num_classes() + c],
                      predictions.class_upper[row * num_classes() + c]);
    }
    if (options_.explain) {
      out += ',';
      append_csv_field(out,
                       model::describe(model::explain_row(model_, rows, row, *options_.explain), model_));
    }
    out += '\n';
  }

  static void append_bounds(std::string& out, double lower, double upper) {
    out += ',';
    append_number(out, lower);
    out += ',';
    append_number(out, upper);
  }

  void append_set(std::string& out, const std::vector<ClassId>& classes) const {
    std::string joined;
    for (const ClassId c : classes) {
      if (!joined.empty()) joined += set_separator;
      joined += model_.classes.label(c);
    }
    out += ',';
    append_csv_field(out, joined);
  }

  void append_runners_up(std::string& out, const double* p) const {
    const std::vector<ClassId> order = ranking(p);
    for (std::size_t k = 1; k < order.size(); ++k) {
      out += ',';
      out += quoted_labels_[static_cast<std::size_t>(order[k])];
      out += ',';
      append_number(out, p[order[k]]);
    }
  }

  std::vector<std::string> quoted_labels_;
};

class JsonLinesWriter final : public WriterBase {
 public:
  using WriterBase::WriterBase;
  std::string header() const override { return {}; }

 private:
  using Json = nlohmann::ordered_json;

  void append_record(std::string& out, const data::Rows& rows, const model::Predictions& predictions,
                     std::size_t row) const override {
    Json record = Json::object();
    if (!id_name_.empty()) record[id_name_] = rows.ids.empty() ? Json(nullptr) : Json(rows.ids[row]);
    const double best = predictions.best_probability[row];
    record["prediction"] = decided(best) ? Json(model_.classes.label(predictions.best[row])) : Json(nullptr);
    record["probability"] = best;
    if (options_.intervals) {
      record["lower"] = predictions.lower[row];
      record["upper"] = predictions.upper[row];
    }
    if (options_.set) {
      record["set"] = Json::array();
      for (const ClassId c : set_of(predictions, row)) record["set"].push_back(model_.classes.label(c));
    }
    if (options_.top > 1) {
      const double* p = probabilities(predictions, row);
      record["top"] = Json::array();
      for (const ClassId c : ranking(p))
        record["top"].push_back({{"class", model_.classes.label(c)}, {"probability", p[c]}});
    }
    if (options_.proba) {
      const double* p = probabilities(predictions, row);
      record["probabilities"] = Json::object();
      for (std::size_t c = 0; c < num_classes(); ++c)
        record["probabilities"][model_.classes.label(static_cast<ClassId>(c))] = p[c];
      if (options_.intervals) record["intervals"] = Json::object();
      for (std::size_t c = 0; options_.intervals && c < num_classes(); ++c)
        record["intervals"][model_.classes.label(static_cast<ClassId>(c))] = {
            predictions.class_lower[row * num_classes() + c],
            predictions.class_upper[row * num_classes() + c]};
    }
    if (options_.explain) record["explanation"] = explanation(rows, row);
    out += record.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    out += '\n';
  }

  Json explanation(const data::Rows& rows, std::size_t row) const {
    const model::Explanation found = model::explain_row(model_, rows, row, *options_.explain);
    Json json{{"class", model_.classes.label(found.best)},
              {"rival", model_.classes.label(found.rival)},
              {"margin", found.margin},
              {"contributions", Json::array()}};
    for (const model::Contribution& part : found.contributions)
      json["contributions"].push_back({{"feature", model_.feature_name(part.feature)},
                                       {"value", part.value},
                                       {"contribution", part.contribution}});
    return json;
  }
};

}  // namespace

const config::Table<PredictionOptions>& prediction_fields() {
  static const config::Table<PredictionOptions> table = [] {
    config::TableBuilder<PredictionOptions> t;
    t.group("Predictions");
    t.add({.name = "output", .value = "FORM", .help = "form of the predictions", .choices = {"csv", "jsonl"}},
          &PredictionOptions::form);
    t.add({.name = "proba", .help = "the probability of every class"}, &PredictionOptions::proba);
    t.add({.name = "intervals",
           .value = "LEVEL",
           .help = "bounds of the probabilities that hold with this credibility, from the model's posterior",
           .bounds = config::between(0.01, 0.9999),
           .bare = "0.9"},
          &PredictionOptions::intervals);
    t.add({.name = "set",
           .value = "P",
           .help = "the set of classes that holds the true one with probability P, from held-out rows",
           .bounds = config::between(0.01, 0.9999)},
          &PredictionOptions::set);
    t.add({.name = "calibrate",
           .value = "FILE",
           .help = "rows with labels that --set is made from; neither trained on nor predicted",
           .unset = "the rows that train --holdout kept out"},
          &PredictionOptions::calibrate);
    t.add({.name = "top",
           .value = "K",
           .help = "the K most probable classes, as prediction_2, probability_2 and so on",
           .bounds = config::at_least(1)},
          &PredictionOptions::top);
    t.add({.name = "threshold",
           .value = "P",
           .help = "leave the prediction empty where its probability is below P: no decision",
           .bounds = config::between(0, 1),
           .unset = "always decide"},
          &PredictionOptions::threshold);
    t.add({.name = "explain",
           .value = "N",
           .help = "the N features that contribute most to each decision",
           .bounds = config::at_least(1),
           .bare = "5"},
          &PredictionOptions::explain);
    return std::move(t).build();
  }();
  return table;
}

std::unique_ptr<PredictionWriter> PredictionWriter::make(const model::Model& model,
                                                         const PredictionOptions& options,
                                                         std::string id_name, double threshold) {
  if (model.shape.response == data::Response::number)
    return make_number_writer(model, options, std::move(id_name));
  if (model.shape.response == data::Response::labels)
    return make_label_writer(model, options, std::move(id_name));
  const bool json = options.form == "jsonl";
  check_distinct(json ? json_keys(id_name) : csv_columns(model, options, id_name), id_name);
  if (json) return std::make_unique<JsonLinesWriter>(model, options, std::move(id_name), threshold);
  check_joinable(model, options);
  return std::make_unique<CsvWriter>(model, options, std::move(id_name), threshold);
}

}  // namespace lazylogit::cli
