#include <nlohmann/json.hpp>

#include "lazylogit/config/option_set.hpp"

namespace lazylogit::config {

std::string non_defaults_json(const std::vector<Field>& fields, const void* object) {
  nlohmann::json record = nlohmann::json::object();
  for (const Field& field : fields) {
    const std::string text = field.get(object);
    if (text == field.default_text) continue;
    nlohmann::json& entry = record[field.info.name];
    switch (field.kind) {
      case Kind::flag:
        entry = text == "true";
        break;
      case Kind::integer:
        if (const auto count = parse_count(text))
          entry = *count;
        else
          entry = *parse_integer(text);
        break;
      case Kind::bytes:
        entry = *parse_bytes(text);
        break;
      case Kind::real:
        entry = *parse_real(text);
        break;
      case Kind::list:
        entry = parse_list(text);
        break;
      case Kind::text:
      case Kind::choice:
        entry = text;
        break;
    }
  }
  return record.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace lazylogit::config
