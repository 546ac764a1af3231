#include "lazylogit/cli/error_json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "lazylogit/base/counted.hpp"
#include "lazylogit/base/message_limit.hpp"
#include "lazylogit/cli/exit_code.hpp"

namespace lazylogit::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string one_line(const Json& object) {
  return object.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

Json or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }
Json or_null(std::uint64_t number) { return number == 0 ? Json(nullptr) : Json(number); }

// A prefix of what stands between the quotes of a JSON string; no escape sequence is torn, nor a pair of them.
std::string_view cut_escaped(std::string_view text, std::size_t size) {
  std::size_t end = 0;
  while (end < text.size()) {
    std::size_t step = 1;
    if (text[end] == '\\') {
      const bool is_pair = text.substr(end, 3) == "\\ud" && text[end + 3] >= '8' && text[end + 3] <= 'b';
      step = text[end + 1] != 'u' ? 2 : is_pair ? 12 : 6;
    }
    if (end + step > size) break;
    end += step;
  }
  return text.substr(0, end);
}

// How long texts of these sizes may be so that all have room; shorter ones leave theirs to the others.
std::size_t common_limit(std::vector<std::size_t> sizes, std::size_t room) {
  std::sort(sizes.begin(), sizes.end());
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::size_t share = room / (sizes.size() - i);
    if (sizes[i] > share) return share;
    room -= sizes[i];
  }
  return sizes.back();
}

// The line of an error, whose texts are cut where it would be too long.
std::string bounded_line(Json object) {
  constexpr std::string_view mark = "...";
  std::string line = one_line(object);
  if (line.size() <= max_message_bytes) return line;
  std::vector<std::pair<const char*, std::string>> texts;  // escaped and in quotes
  std::vector<std::size_t> sizes;
  std::size_t fixed = line.size();
  for (const char* key : {"message", "file", "option", "found", "expected", "hint"}) {
    if (!object[key].is_string()) continue;
    texts.emplace_back(key, one_line(object[key]));
    sizes.push_back(texts.back().second.size());
    fixed -= sizes.back();
  }
  const std::size_t limit = common_limit(sizes, max_message_bytes - fixed);
  for (const auto& [key, text] : texts) {
    if (text.size() <= limit) continue;
    const std::string_view body = std::string_view(text).substr(1, text.size() - 2);
    std::string cut = "\"";
    cut.append(cut_escaped(body, limit - 2 - mark.size())).append(mark).append("\"");
    object[key] = Json::parse(cut);
  }
  return one_line(object);
}

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
  return bounded_line(json_of(detail, event));
}

std::string held_back_json(const std::string& code, std::uint64_t count) {
  Json object = json_of(
      {.kind = ErrorKind::input, .message = counted(count, "more warning") + " like these", .code = code},
      "warning");
  object["found"] = nullptr;
  object["count"] = count;
  return bounded_line(std::move(object));
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
