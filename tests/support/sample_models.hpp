// Small models of every kind, for tests of files, descriptions and fuzz seeds.
#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "lazylogit/model/model.hpp"

namespace lazylogit::test {

inline void fill(model::Model& model, double density) {
  const model::Shape& shape = model.shape;
  model.coefficients.assign(shape.size(), 0.0);
  std::size_t n = 0;
  for (std::size_t row = 0; row < shape.num_rows(); ++row)
    for (std::size_t v = 0; v < shape.num_vectors(); ++v, ++n)
      if (row == shape.num_features || static_cast<double>(n % 10) < 10 * density)
        model.coefficients[shape.index(row, v)] = std::sin(static_cast<double>(n) + 0.25);
}

inline model::Model make_model(model::Shape shape, std::vector<std::string> labels, double density = 1) {
  model::Model model;
  model.shape = shape;
  for (std::size_t i = 0; i < shape.num_features; ++i) model.features.append(std::to_string(i + 1));
  model.features.build_index();
  model.classes = data::ClassTable::from_ordered(std::move(labels));
  fill(model, density);
  model.record.prior = "gaussian";
  model.record.prior_json = R"({"family":"gaussian","variance":1.0})";
  model.record.optimizer = "lbfgs";
  model.record.termination = "converged";
  model.record.termination_message = "the certified relative gap is 3e-07";
  model.record.iterations = 17;
  model.record.passes = 20;
  model.record.num_examples = 150;
  model.record.log_likelihood = -40.25;
  model.record.penalty = 3.5;
  model.record.log_prior = -12.125;
  model::Certificate certificate;
  certificate.kind = model::CertificateKind::duality_gap;
  certificate.error = 43.75;
  certificate.lower_bound = 43.7499;
  certificate.relative_gap = 3e-7;
  certificate.gradient_norm = 1e-4;
  certificate.worst_feature = "2";
  certificate.worst_class = "b";
  model.record.certificate = certificate;
  return model;
}

inline model::Model binary_model() { return make_model({5, 2, 0, true}, {"0", "1"}); }
inline model::Model reference_model() {
  return make_model({4, 3, 1, true}, {"setosa", "versicolor", "virginica"});
}
inline model::Model symmetric_model() {
  return make_model({6, 5, std::nullopt, true}, {"-1", "0", "1", "2", "3"});
}
inline model::Model sparse_model() {
  model::Model model = make_model({40, 3, std::nullopt, true}, {"a", "b", "c"}, 0.1);
  model.record.prior = "laplace";
  model.record.prior_json = R"({"family":"laplace","variance":0.5})";
  return model;
}
inline model::Model no_intercept_model() { return make_model({3, 2, 1, false}, {"no", "yes"}); }

inline model::Model hashed_model() {
  model::Model model = make_model({0, 2, 0, true}, {"ham", "spam"});
  model.shape.num_features = 16;
  model.input.kind = data::InputKind::named;
  model.input.hash_bits = 4;
  fill(model, 1);
  return model;
}

inline model::Model slots_model() {
  model::Model model = make_model({3, 2, 0, true}, {"ham", "spam"});
  model.features = {};
  for (const char* name : {"#0", "#7", "#1048575"}) model.features.append(name);
  model.features.build_index();
  model.input.kind = data::InputKind::named;
  model.input.hash_bits = 20;
  return model;
}

inline model::Model text_model() {
  model::Model model = make_model({0, 2, 0, true}, {"neg", "pos"});
  for (const char* name : {"good", "bad", "na\xC3\xAFve", "not good"}) model.features.append(name);
  model.features.build_index();
  model.shape.num_features = 4;
  model.input.kind = data::InputKind::text;
  model.input.text = {2, true, true};
  model.idf = {1.5, 2.25, 3.125, 1.0};
  fill(model, 1);
  model.record.certificate.reset();
  model.record.options_json = R"({"epochs": 3, "optimizer": "sgd"})";
  return model;
}

inline model::Model columns_model() {
  model::Model model = make_model({0, 3, 0, true}, {"high", "low", "mid"});
  for (const char* name : {"age", "age=missing", "job=cook", "job=teacher"}) model.features.append(name);
  model.features.build_index();
  model.shape.num_features = 4;
  model.input.kind = data::InputKind::columns;
  data::ColumnSpec age{
      .name = "age", .type = data::ColumnType::numeric, .missing_indicator = true, .impute_number = 39.5};
  data::ColumnSpec job{.name = "job", .type = data::ColumnType::categorical};
  job.impute_category = "cook";
  job.has_dropped_category = true;
  job.dropped_category = "baker, \"head\"";
  model.input.columns = {age, job};
  model.input.target = "income";
  model.input.id = "name";
  model.input.weight = "w";
  model.input.ignored = {"x", "y"};
  model.input.missing = data::MissingPolicy::drop_row;
  fill(model, 1);
  model.prior_mean.assign(model.shape.size(), 0.0);
  model.prior_a.assign(model.shape.size(), 0.0);
  for (std::size_t row = 0; row < model.shape.num_rows(); ++row)
    for (std::size_t v = 0; v < model.shape.num_vectors(); ++v) {
      model.prior_mean[model.shape.index(row, v)] = 0.5 * static_cast<double>(row);
      model.prior_a[model.shape.index(row, v)] = row == 4 ? HUGE_VAL : 1 + static_cast<double>(v);
    }
  return model;
}

// With made-up numbers for a posterior of each kind.
inline model::Model posterior_model(model::PosteriorKind kind) {
  model::Model model = make_model({3, 3, 1, true}, {"a", "b", "c"});
  model::PosteriorApproximation posterior;
  posterior.kind = kind;
  posterior.log_evidence = -60.5;
  posterior.effective_parameters = 4.5;
  posterior.num_parameters = 8;
  posterior.bic = 100.25;
  posterior.aic = 90.125;
  posterior.variance.assign(model.shape.size(), 0.0);
  for (std::size_t row = 0; row < model.shape.num_rows(); ++row)
    for (std::size_t v = 0; v < model.shape.num_vectors(); ++v)
      posterior.variance[model.shape.index(row, v)] = 0.25 + static_cast<double>(row);
  if (has_covariance(kind)) {
    for (std::size_t row = 0; row < model.shape.num_rows(); ++row)
      for (std::size_t v = 0; v < model.shape.num_vectors(); ++v)
        posterior.coordinates.push_back(model.shape.index(row, v));
    for (std::size_t i = 0; i < posterior.coordinates.size(); ++i)
      for (std::size_t k = 0; k <= i; ++k)
        posterior.covariance.push_back(i == k ? posterior.variance[posterior.coordinates[i]] : 0.01);
  }
  if (kind == model::PosteriorKind::low_rank) {
    posterior.rank = 2;
    posterior.factor.assign(model.shape.size() * 2, 0.0F);
    for (std::size_t row = 0; row < model.shape.num_rows(); ++row)
      for (std::size_t k = 0; k < 2 * model.shape.num_vectors(); ++k)
        posterior.factor[2 * model.shape.index(row, 0) + k] = 0.125F;
  }
  if (has_mean(kind)) posterior.mean = model.coefficients;
  if (kind == model::PosteriorKind::samples) {
    posterior.sampling = {"hamiltonian", 2, 3, 1.01, 5.5, 1};
    posterior.samples.assign(model.shape.size() * 6, 0.0F);
    for (std::size_t row = 0; row < model.shape.num_rows(); ++row)
      for (std::size_t k = 0; k < 6 * model.shape.num_vectors(); ++k)
        posterior.samples[6 * model.shape.index(row, 0) + k] = static_cast<float>(k % 5) - 1.5F;
  }
  model.posterior = posterior;
  return model;
}

inline model::Model held_out_model() {
  model::Model model = binary_model();
  model.held_out = model::HeldOutScores{{0.125, 0.5, 0.5, HUGE_VAL}, {1, 2, 0.5, 1}};
  return model;
}

struct NamedModel {
  const char* name;
  model::Model model;
};

inline std::vector<NamedModel> sample_models() {
  std::vector<NamedModel> all;
  all.push_back({"binary", binary_model()});
  all.push_back({"reference", reference_model()});
  all.push_back({"symmetric", symmetric_model()});
  all.push_back({"sparse", sparse_model()});
  all.push_back({"no_intercept", no_intercept_model()});
  all.push_back({"hashed", hashed_model()});
  all.push_back({"slots", slots_model()});
  all.push_back({"text", text_model()});
  all.push_back({"columns", columns_model()});
  all.push_back({"diagonal_posterior", posterior_model(model::PosteriorKind::diagonal)});
  all.push_back({"full_posterior", posterior_model(model::PosteriorKind::full)});
  all.push_back({"low_rank_posterior", posterior_model(model::PosteriorKind::low_rank)});
  all.push_back({"variational_posterior", posterior_model(model::PosteriorKind::variational)});
  all.push_back({"samples", posterior_model(model::PosteriorKind::samples)});
  all.push_back({"held_out", held_out_model()});
  return all;
}

}  // namespace lazylogit::test
