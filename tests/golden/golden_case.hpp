// A golden case as a problem that the engine takes. The files are described in cases/README.md.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "lazylogit/math/vector.hpp"
#include "lazylogit/objective/problem.hpp"
#include "lazylogit/prior/prior_table.hpp"
#include "support/source_tree.hpp"

namespace lazylogit::golden {

using nlohmann::json;

inline std::filesystem::path cases_directory() { return test::source_tree() / "tests/golden/cases"; }

// The names of all cases of a kind, in order.
inline std::vector<std::string> cases_of_kind(const std::string& kind) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(cases_directory())) {
    if (entry.path().extension() != ".json") continue;
    std::ifstream file(entry.path());
    if (json::parse(file)["kind"] == kind) names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

struct Case {
  json file;
  data::SparseMatrix x;
  std::vector<ClassId> labels;
  std::vector<double> weights;
  model::Shape shape;
  std::unique_ptr<prior::PriorTable> prior;

  explicit Case(const std::string& name) {
    std::ifstream in(cases_directory() / (name + ".json"));
    file = json::parse(in);
    read_data();
    shape.num_classes = file["classes"];
    shape.has_intercept = file["intercept"];
    shape.num_features = x.num_features;
    if (file["parameterization"] == "reference")
      shape.reference = static_cast<ClassId>(shape.num_classes) - 1;
    make_prior();
  }

  objective::Problem problem() const {
    return {
        .x = &x, .labels = labels, .weights = weights, .offsets = {}, .shape = shape, .prior = prior.get()};
  }
  std::size_t num_dims() const { return shape.num_rows(); }
  // The coordinate of dimension i of vector c, where dimension 0 is the intercept if there is one.
  std::size_t at(std::size_t c, std::size_t i) const {
    if (!shape.has_intercept) return shape.index(i, c);
    return i == 0 ? shape.intercept_index(c) : shape.index(i - 1, c);
  }
  math::Vector coefficients(const json& matrix) const {
    math::Vector b(shape.size(), 0.0);
    for (std::size_t c = 0; c < shape.num_vectors(); ++c)
      for (std::size_t i = 0; i < num_dims(); ++i) b[at(c, i)] = number(matrix[c][i]);
    return b;
  }
  static double number(const json& value) {
    return value.is_string() ? std::numeric_limits<double>::infinity() : value.get<double>();
  }

 private:
  std::vector<double> values_;

  void add_row(const std::vector<std::pair<std::size_t, double>>& entries, int label) {
    for (const auto& [i, value] : entries)
      if (value != 0) {
        x.ids.push_back(static_cast<FeatureId>(i));
        values_.push_back(value);
      }
    x.row_offsets.push_back(x.ids.size());
    labels.push_back(label);
  }

  void read_data() {
    const json& data = file["data"];
    if (data.contains("file")) {
      read_csv(cases_directory() / data["file"].get<std::string>());
    } else if (data.contains("inline")) {
      const json& rows = data["inline"]["x"];
      for (std::size_t j = 0; j < rows.size(); ++j) {
        std::vector<std::pair<std::size_t, double>> entries;
        for (std::size_t i = 0; i < rows[j].size(); ++i) entries.emplace_back(i, rows[j][i]);
        x.num_features = entries.size();
        add_row(entries, data["inline"]["y"][j]);
      }
    } else {
      const json& sparse = data["sparse"];
      x.num_features = sparse["dims"];
      for (std::size_t j = 0; j < sparse["rows"].size(); ++j) {
        std::vector<std::pair<std::size_t, double>> entries;
        for (const json& entry : sparse["rows"][j]) entries.emplace_back(entry[0], entry[1]);
        add_row(entries, sparse["y"][j]);
      }
    }
    if (data.contains("weights")) weights = data["weights"].get<std::vector<double>>();
    Buffer<double> stored;
    stored.append(values_);
    x.values = std::move(stored);
  }

  void read_csv(const std::filesystem::path& path) {
    std::ifstream in(path);
    std::string line, cell;
    std::getline(in, line);
    const bool weighted = line.rfind("y,w,", 0) == 0;
    while (std::getline(in, line)) {
      std::stringstream cells(line);
      std::vector<std::pair<std::size_t, double>> entries;
      std::getline(cells, cell, ',');
      const int label = std::stoi(cell);
      if (weighted) {
        std::getline(cells, cell, ',');
        weights.push_back(std::stod(cell));
      }
      while (std::getline(cells, cell, ',')) entries.emplace_back(entries.size(), std::stod(cell));
      x.num_features = entries.size();
      add_row(entries, label);
    }
  }

  prior::AnyPrior prior_at(std::size_t c, std::size_t i) const {
    const json& p = file["prior"];
    const std::string family = p["family"];
    const auto parameter = [&](const char* name) { return number(p[name][c][i]); };
    if (family == "gaussian") return prior::Gaussian::from_variance(parameter("s2"));
    if (family == "laplace") return prior::Laplace::from_variance(parameter("s2"));
    if (family == "cauchy") return prior::Cauchy::from_scale(parameter("lambda"));
    if (family == "elasticnet") return prior::ElasticNet{parameter("l1"), parameter("l2")};
    return prior::Uniform{};
  }

  void make_prior() {
    prior = std::make_unique<prior::PriorTable>(prior_at(0, 0), shape.size(), shape.size());
    prior->make_per_coordinate();
    for (std::size_t c = 0; c < shape.num_vectors(); ++c)
      for (std::size_t i = 0; i < num_dims(); ++i) prior->set(at(c, i), prior_at(c, i), 0, false);
  }
};

}  // namespace lazylogit::golden
