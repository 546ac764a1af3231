#include "lazylogit/io/formats/table_outline.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lazylogit/io/formats/delimited_header.hpp"

namespace lazylogit::io {
namespace {

constexpr std::size_t head_bytes = 65536, head_records = 101;  // with the header, where there is one

// Bad rows of the head are told when the stream itself comes to them.
class NoticesOnly final : public Log {
 public:
  explicit NoticesOnly(Log& log) : log_(&log) {}
  void notice(std::string_view sentence) override { log_->notice(sentence); }

 private:
  Log* log_;
};

std::string_view head_of(Input& input, bool quoting, const Limits& limits) {
  const Dialect dialect{',', quoting};
  const std::string_view text = first_records(input, dialect, limits);
  bool inside = false;  // of quotes
  for (std::size_t at = 0, records = 0; at < text.size(); ++at) {
    inside ^= quoting && text[at] == '"';
    if (text[at] == '\n' && !inside && ++records == head_records) return text.substr(0, at + 1);
  }
  if (text.size() + 3 < head_bytes) return text;  // 3: a byte order mark. All there is
  const std::size_t end = last_record_end(text, dialect);
  return end == 0 ? text : text.substr(0, end);
}

void refuse_ambiguous_columns(const data::InputSpec& input) {
  std::vector<std::string_view> names;
  for (const data::ColumnSpec& column : input.columns) names.push_back(column.name);
  std::sort(names.begin(), names.end());
  std::vector<std::string_view>
      starts;  // names that the one before starts with, itself included, shortest first
  for (const std::string_view name : names) {
    while (!starts.empty() && !name.starts_with(starts.back())) starts.pop_back();
    for (const std::string_view start : starts) {
      if (name.size() == start.size()) continue;
      const char mark = name[start.size()];
      if (mark != '=' && mark != ':' && mark != '.' && mark != '[') continue;
      throw ConfigError("features of the columns " + quote_text(start) + " and " + quote_text(name) +
                            " could have the same name",
                        "stream", "rename one of them, or hash features with --hash-bits");
    }
    starts.push_back(name);
  }
}

}  // namespace

data::InputSpec outline_table(std::vector<Input>& inputs, LoadFormat load, bool quoting,
                              const ReadOptions& options, Log& log) {
  const std::string head(head_of(inputs.front(), quoting, options.limits));
  std::vector<Input> one;
  one.push_back(Input::from_memory(inputs.front().name(), head, options.limits));
  NoticesOnly notices(log);
  data::InputSpec input = load(one, options, notices, CancelToken()).data.input;
  if (input.kind != data::InputKind::columns) return input;
  for (data::ColumnSpec& column : input.columns) {
    if (column.type == data::ColumnType::categorical && !column.missing_indicator)
      column.indicator = "(missing)";
    column.missing_indicator =
        column.type != data::ColumnType::sparse && input.missing == data::MissingPolicy::impute;
  }
  if (!input.hash_bits) refuse_ambiguous_columns(input);
  return input;
}

}  // namespace lazylogit::io
