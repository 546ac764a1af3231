#include "lazylogit/model/posterior_record.hpp"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "lazylogit/base/error.hpp"
#include "lazylogit/model/named_value.hpp"

namespace lazylogit::model {
namespace {

using nlohmann::json;

constexpr std::array<Named<PosteriorKind>, 5> posterior_kinds{{{PosteriorKind::diagonal, "diagonal"},
                                                               {PosteriorKind::full, "full"},
                                                               {PosteriorKind::low_rank, "low-rank"},
                                                               {PosteriorKind::variational, "variational"},
                                                               {PosteriorKind::samples, "samples"}}};

json sampling_json(const Sampling& sampling) {
  return json{{"method", sampling.method},
              {"chains", sampling.chains},
              {"per_chain", sampling.per_chain},
              {"worst_rhat", number_or_null(sampling.worst_rhat)},
              {"smallest_ess", number_or_null(sampling.smallest_ess)},
              {"diverged", sampling.diverged}};
}

Sampling parse_sampling(const json& document, const JsonPlace& place) {
  JsonFields fields(document, place);
  Sampling sampling;
  sampling.method = fields.string("method");
  sampling.chains = fields.count("chains");
  sampling.per_chain = fields.count("per_chain");
  sampling.worst_rhat = fields.number("worst_rhat");
  sampling.smallest_ess = fields.number("smallest_ess");
  sampling.diverged = fields.count("diverged");
  fields.finish();
  constexpr std::size_t most = std::size_t{1} << 31;
  if (sampling.chains == 0 || sampling.per_chain == 0 || sampling.chains > most || sampling.per_chain > most)
    refuse_json(place, "has no samples, or more than a file can hold");
  return sampling;
}

}  // namespace

const char* posterior_kind_name(PosteriorKind kind) {
  for (const auto& row : posterior_kinds)
    if (row.value == kind) return row.name;
  return "";
}

std::optional<PosteriorKind> posterior_kind(const std::string& name) {
  for (const auto& row : posterior_kinds)
    if (name == row.name) return row.value;
  return std::nullopt;
}

std::vector<std::string> posterior_kind_names() {
  std::vector<std::string> names;
  for (const auto& row : posterior_kinds) names.emplace_back(row.name);
  return names;
}

std::string write_posterior_record(const PosteriorApproximation& posterior) {
  json record{{"kind", posterior_kind_name(posterior.kind)},
              {"rank", posterior.rank},
              {"log_evidence", number_or_null(posterior.log_evidence)},
              {"log_evidence_error", number_or_null(posterior.log_evidence_error)},
              {"effective_parameters", number_or_null(posterior.effective_parameters)},
              {"num_parameters", number_or_null(posterior.num_parameters)},
              {"bic", number_or_null(posterior.bic)},
              {"aic", number_or_null(posterior.aic)}};
  if (posterior.noise_variance > 0) record["noise_variance"] = posterior.noise_variance;
  if (posterior.kind == PosteriorKind::samples) record["sampling"] = sampling_json(posterior.sampling);
  return record.dump();
}

PosteriorApproximation parse_posterior_record(std::string_view text, const JsonPlace& place) {
  const json document = parse_canonical_json(text, place);
  JsonFields fields(document, place);
  PosteriorApproximation posterior;
  const std::string name = fields.string("kind");
  const auto kind = posterior_kind(name);
  if (!kind) refuse_json(place, fmt::format("has an unknown kind of posterior {}", quote_text(name)));
  posterior.kind = *kind;
  posterior.rank = fields.count("rank");
  if ((posterior.rank > 0) != (posterior.kind == PosteriorKind::low_rank))
    refuse_json(place, "has a rank that does not fit its kind");
  posterior.log_evidence = fields.optional_number("log_evidence");
  posterior.log_evidence_error = fields.number("log_evidence_error");
  posterior.effective_parameters = fields.number("effective_parameters");
  posterior.num_parameters = fields.number("num_parameters");
  posterior.bic = fields.number("bic");
  if (fields.has("noise_variance")) posterior.noise_variance = fields.number("noise_variance");
  if (!(posterior.noise_variance >= 0)) refuse_json(place, "has a noise variance that is none");
  posterior.aic = fields.number("aic");
  if (posterior.kind == PosteriorKind::samples)
    posterior.sampling = parse_sampling(fields.value("sampling"), place);
  fields.finish();
  return posterior;
}

}  // namespace lazylogit::model
