#include "lazylogit/model/posterior_record.hpp"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "lazylogit/base/error.hpp"

namespace lazylogit::model {
namespace {

using nlohmann::json;

struct KindName {
  PosteriorKind kind;
  const char* name;
};
constexpr std::array<KindName, 3> kind_names{{{PosteriorKind::diagonal, "diagonal"},
                                              {PosteriorKind::full, "full"},
                                              {PosteriorKind::low_rank, "low-rank"}}};

}  // namespace

const char* posterior_kind_name(PosteriorKind kind) {
  for (const KindName& row : kind_names)
    if (row.kind == kind) return row.name;
  return "";
}

std::optional<PosteriorKind> posterior_kind(const std::string& name) {
  for (const KindName& row : kind_names)
    if (name == row.name) return row.kind;
  return std::nullopt;
}

std::string write_posterior_record(const PosteriorApproximation& posterior) {
  return json{{"kind", posterior_kind_name(posterior.kind)},
              {"rank", posterior.rank},
              {"log_evidence", number_or_null(posterior.log_evidence)},
              {"log_evidence_error", number_or_null(posterior.log_evidence_error)},
              {"effective_parameters", number_or_null(posterior.effective_parameters)},
              {"num_parameters", number_or_null(posterior.num_parameters)},
              {"bic", number_or_null(posterior.bic)},
              {"aic", number_or_null(posterior.aic)}}
      .dump();
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
  posterior.aic = fields.number("aic");
  fields.finish();
  return posterior;
}

}  // namespace lazylogit::model
