// model::TrainingRecord (without the prior's own document) as canonical JSON, and back.
#pragma once

#include <string>
#include <string_view>

#include "lazylogit/model/json_fields.hpp"
#include "lazylogit/model/model.hpp"

namespace lazylogit::model {

std::string write_training_record(const TrainingRecord& record);

// Throws InputError for anything that write_training_record would not write.
TrainingRecord parse_training_record(std::string_view text, const JsonPlace& place);

// The names under which certificates are written and shown.
const char* certificate_kind_name(CertificateKind kind);

// {"kind", "error", "relative_gap", …}; null for none. For inspect and for the record.
nlohmann::json certificate_to_json(const std::optional<Certificate>& certificate);

}  // namespace lazylogit::model
