#include "lazylogit/cli/error_json.hpp"

#include <nlohmann/json.hpp>

#include "lazylogit/base/counted.hpp"
#include "lazylogit/cli/exit_code.hpp"

namespace lazylogit::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string one_line(const Json& object) {
  return object.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

Json or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }
Json or_null(std::uint64_t number) { return number == 0 ? Json(nullptr) : Json(number); }

std::string_view kind_name(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
      return "usage";
    case ErrorKind::input:
      return "input";
    case ErrorKind::environment:
      return "environment";
    case ErrorKind::internal:
      break;
  }
  return "internal";
}

Json json_of(const ErrorDetail& given, std::string_view event) {
  const ErrorDetail detail = completed(given);
  Json object = Json::object();
  object["event"] = event;
  object["kind"] = kind_name(detail.kind);
  object["code"] = or_null(detail.code);
  object["message"] = detail.message;
  object["file"] = or_null(detail.file);
  object["line"] = or_null(detail.line);
  object["column"] = or_null(detail.column);
  object["byte"] = detail.byte ? Json(*detail.byte) : Json(nullptr);
  object["option"] = or_null(detail.option);
  object["found"] = or_null(detail.found);
  object["expected"] = or_null(detail.expected);
  object["hint"] = or_null(detail.hint);
  return object;
}

}  // namespace

std::string error_json(const ErrorDetail& detail, std::string_view event) {
  return one_line(json_of(detail, event));
}

std::string held_back_json(const std::string& code, std::uint64_t count) {
  Json object = json_of(
      {.kind = ErrorKind::input, .message = counted(count, "more warning") + " like these", .code = code},
      "warning");
  object["found"] = nullptr;
  object["count"] = count;
  return one_line(object);
}

std::string notice_json(std::string_view sentence) {
  return one_line(Json{{"event", "notice"}, {"message", sentence}});
}

std::string progress_json(const Progress& progress, double seconds) {
  Json object{{"event", "progress"}, {"phase", progress.phase}, {"done", progress.done}};
  object["total"] = or_null(progress.total);
  object["unit"] = progress.unit;
  object["seconds"] = seconds;
  return one_line(object);
}

}  // namespace lazylogit::cli
