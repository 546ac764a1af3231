// Predictions of models whose labels are numbers or sets.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "lazylogit/base/error.hpp"
#include "lazylogit/cli/csv_field.hpp"
#include "lazylogit/cli/prediction_writer.hpp"
#include "lazylogit/model/explain.hpp"

namespace lazylogit::cli {
namespace {

using Json = nlohmann::ordered_json;

Json explanation_json(const model::Model& model, const model::Explanation& found) {
  Json json{
      {"output", model.classes.label(found.best)}, {"score", found.margin}, {"contributions", Json::array()}};
  for (const model::Contribution& part : found.contributions)
    json["contributions"].push_back({{"feature", model.feature_name(part.feature)},
                                     {"value", part.value},
                                     {"contribution", part.contribution}});
  return json;
}

void refuse(bool given, const char* option, const char* why, const char* hint = "") {
  if (given) throw ConfigError(why, option, hint);
}

void check_distinct(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  const auto twin = std::adjacent_find(names.begin(), names.end());
  if (twin == names.end()) return;
  throw ConfigError("two columns of the predictions would be called " + quote_text(*twin), "proba",
                    "--output jsonl keeps them apart");
}

// What both kinds share: the id, the explanation, the form.
class ResponseWriter : public PredictionWriter {
 public:
  ResponseWriter(const model::Model& model, const PredictionOptions& options, std::string id_name)
      : model_(model), options_(options), id_name_(std::move(id_name)), json_(options.form == "jsonl") {}

  std::string header() const override {
    if (json_) return {};
    std::string out;
    for (const std::string& name : names()) out += (out.empty() ? "" : ",") + csv_field(name);
    return out + "\n";
  }

  std::string records(const data::Rows& rows, const model::Predictions& predictions, std::size_t first,
                      std::size_t last) const override {
    std::string out;
    for (std::size_t row = first; row < last; ++row) {
      if (json_) {
        Json record = Json::object();
        if (!id_name_.empty()) record[id_name_] = rows.ids.empty() ? Json(nullptr) : Json(rows.ids[row]);
        fill(record, predictions, row);
        if (options_.explain)
          record["explanation"] =
              explanation_json(model_, model::explain_row(model_, rows, row, *options_.explain));
        out += record.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
      } else {
        if (!id_name_.empty()) {
          if (!rows.ids.empty()) append_csv_field(out, rows.ids[row]);
          out += ',';
        }
        append(out, predictions, row);
        if (options_.explain) {
          out += ',';
          append_csv_field(out,
                           model::describe(model::explain_row(model_, rows, row, *options_.explain), model_));
        }
      }
      out += '\n';
    }
    return out;
  }

  // The columns of csv.
  std::vector<std::string> names() const {
    std::vector<std::string> list;
    if (!id_name_.empty()) list.push_back(id_name_);
    add_names(list);
    if (options_.explain) list.emplace_back("explanation");
    return list;
  }

 protected:
  virtual void add_names(std::vector<std::string>& names) const = 0;
  virtual void append(std::string& out, const model::Predictions& predictions, std::size_t row) const = 0;
  virtual void fill(Json& record, const model::Predictions& predictions, std::size_t row) const = 0;

  const model::Model& model_;
  PredictionOptions options_;
  std::string id_name_;
  bool json_;
};

class NumberWriter final : public ResponseWriter {
 public:
  using ResponseWriter::ResponseWriter;

 private:
  void add_names(std::vector<std::string>& names) const override {
    names.emplace_back("prediction");
    if (options_.intervals) names.insert(names.end(), {"lower", "upper"});
  }
  void append(std::string& out, const model::Predictions& predictions, std::size_t row) const override {
    append_number(out, predictions.numbers[row]);
    if (!options_.intervals) return;
    out += ',';
    append_number(out, predictions.lower[row]);
    out += ',';
    append_number(out, predictions.upper[row]);
  }
  void fill(Json& record, const model::Predictions& predictions, std::size_t row) const override {
    record["prediction"] = predictions.numbers[row];
    if (!options_.intervals) return;
    record["lower"] = predictions.lower[row];
    record["upper"] = predictions.upper[row];
  }
};

class LabelWriter final : public ResponseWriter {
 public:
  LabelWriter(const model::Model& model, const PredictionOptions& options, std::string id_name)
      : ResponseWriter(model, options, std::move(id_name)), threshold_(options.threshold.value_or(0.5)) {}

 private:
  const double* probabilities(const model::Predictions& predictions, std::size_t row) const {
    return predictions.probabilities.data() + row * model_.classes.size();
  }
  void add_names(std::vector<std::string>& names) const override {
    names.emplace_back("prediction");
    if (options_.proba)
      names.insert(names.end(), model_.classes.labels().begin(), model_.classes.labels().end());
  }
  void append(std::string& out, const model::Predictions& predictions, std::size_t row) const override {
    const double* p = probabilities(predictions, row);
    std::string joined;
    for (std::size_t c = 0; c < model_.classes.size(); ++c)
      if (p[c] >= threshold_)
        joined += (joined.empty() ? "" : ",") + model_.classes.label(static_cast<ClassId>(c));
    if (joined.empty())
      out += "\"\"";  // a blank line would be no record
    else
      append_csv_field(out, joined);
    for (std::size_t c = 0; options_.proba && c < model_.classes.size(); ++c) {
      out += ',';
      append_number(out, p[c]);
    }
  }
  void fill(Json& record, const model::Predictions& predictions, std::size_t row) const override {
    const double* p = probabilities(predictions, row);
    record["prediction"] = Json::array();
    if (options_.proba) record["probabilities"] = Json::object();
    for (std::size_t c = 0; c < model_.classes.size(); ++c) {
      const std::string& label = model_.classes.label(static_cast<ClassId>(c));
      if (p[c] >= threshold_) record["prediction"].push_back(label);
      if (options_.proba) record["probabilities"][label] = p[c];
    }
  }

  double threshold_;
};

}  // namespace

std::unique_ptr<PredictionWriter> make_number_writer(const model::Model& model,
                                                     const PredictionOptions& options, std::string id_name) {
  constexpr const char* why = "the model predicts numbers, which have no probabilities";
  refuse(options.proba, "proba", why, "--intervals gives bounds where the model has a posterior");
  refuse(options.set.has_value(), "set", why);
  refuse(options.top > 1, "top", why);
  refuse(options.threshold.has_value(), "threshold", why);
  auto writer = std::make_unique<NumberWriter>(model, options, std::move(id_name));
  check_distinct(writer->names());
  return writer;
}

std::unique_ptr<PredictionWriter> make_label_writer(const model::Model& model,
                                                    const PredictionOptions& options, std::string id_name) {
  constexpr const char* why = "the model predicts sets of labels, each by itself";
  refuse(options.set.has_value(), "set", why);
  refuse(options.top > 1, "top", why, "--proba gives the probability of every label");
  auto writer = std::make_unique<LabelWriter>(model, options, std::move(id_name));
  if (options.form != "jsonl") check_distinct(writer->names());
  return writer;
}

}  // namespace lazylogit::cli
