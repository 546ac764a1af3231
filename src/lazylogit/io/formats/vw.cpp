#include "lazylogit/io/formats/vw.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "lazylogit/io/formats/delimited_dialect.hpp"
#include "lazylogit/io/formats/vw_parser.hpp"
#include "lazylogit/io/parse_number.hpp"
#include "lazylogit/io/text_format.hpp"

namespace lazylogit::io {
namespace {

bool wants_tags(const ReadOptions& options) {
  if (!options.id.empty() && options.id != "tag")
    throw ConfigError("VW text has no column " + quote_text(options.id), "id",
                      "use --id tag for the rows' tags");
  return !options.id.empty();
}

Precision vw_precision(const ReadOptions& options) { return effective_precision(options, vw_format()); }

void refuse_offsets_of_many_classes(std::size_t num_offsets, std::size_t num_classes,
                                    const std::string& file) {
  if (num_offsets > 0 && num_classes > 2)
    throw InputError(
        {.message = fmt::format("rows have a base (initial score), which needs two classes; there are {}",
                                num_classes),
         .file = file,
         .code = "offset-classes"});
}

// Watches the rows of a model with many classes for offsets that it could not use.
class CheckedSource final : public RowSource {
 public:
  CheckedSource(std::unique_ptr<RowSource> rows, std::size_t num_classes, std::string file)
      : rows_(std::move(rows)), num_classes_(num_classes), file_(std::move(file)) {}
  bool next(data::Rows& rows) override {
    if (!rows_->next(rows)) return false;
    refuse_offsets_of_many_classes(rows.offsets.size(), num_classes_, file_);
    return true;
  }
  const ReadSummary& summary() const override { return rows_->summary(); }

 private:
  std::unique_ptr<RowSource> rows_;
  std::size_t num_classes_;
  std::string file_;
};

int sniff_vw(std::string_view prefix) {
  int sure = 0;
  const bool in_columns = consistent_fields(prefix, {'|', true}) > 2;
  for (std::size_t lines = 0; !prefix.empty() && lines < 100;) {
    const std::size_t end = prefix.find('\n');
    if (end == std::string_view::npos && lines > 0) break;  // the last line may be cut
    const std::string_view line = prefix.substr(0, end);
    prefix.remove_prefix(end == std::string_view::npos ? prefix.size() : end + 1);
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    ++lines;
    const std::size_t bar = line.find('|');
    VwHead head;
    if (bar == std::string_view::npos) return 0;
    if (const auto problem = parse_vw_head(line, bar, head)) {
      // The format may be right, and its reader says what is wrong; but "10:30|" begins a row of a table, and so does
      // "10:30 |" where further bars divide every line in the same way.
      if (problem->code != "label-type" || line[bar - 1] != ' ' || in_columns) return 0;
      sure = lines == 1 ? 90 : sure;
      continue;
    }
    // A table that is delimited by bars has text that touches them; a label is a number, or there is none.
    double value = 0;
    const bool certain = (head.label.empty() && head.tag.empty()) ||
                         (!head.label.empty() && parse_number(head.label, value) == NumberStatus::ok);
    const int now = certain ? 90 : head.label.empty() ? 20 : 60;
    sure = lines == 1 ? now : std::min(sure, now);
  }
  return sure;
}

Loaded load_vw(std::vector<Input>& inputs, const ReadOptions& options, Log& log, const CancelToken& cancel) {
  TextRun run;
  run.format = Format::vw;
  run.input.kind = data::InputKind::named;
  run.input.hash_bits = options.hash_bits;
  run.input.id = options.id;
  const NameResolver resolver = NameResolver::learning(options.hash_bits);
  run.mode = resolver.mode();
  const std::string first_file = inputs.empty() ? "" : inputs.front().name();
  Loaded loaded =
      load_text(inputs, run, VwParser(resolver, options, vw_precision(options), wants_tags(options)), options,
                log, cancel);
  refuse_offsets_of_many_classes(loaded.data.offsets.size(), loaded.data.classes.size(), first_file);
  return loaded;
}

std::unique_ptr<RowSource> open_vw(std::vector<Input> inputs, const FixedNames& names,
                                   const ReadOptions& options, Log& log, const CancelToken& cancel) {
  TextRun run;
  run.format = Format::vw;
  const NameResolver resolver = NameResolver::fixed(names);
  run.mode = resolver.mode();
  const std::string first_file = inputs.empty() ? "" : inputs.front().name();
  std::unique_ptr<RowSource> rows = stream_text(
      std::move(inputs), run, VwParser(resolver, options, vw_precision(options), wants_tags(options)), names,
      options, log, cancel);
  if (names.growing != nullptr) return rows;  // who learns knows how many classes there are
  return std::make_unique<CheckedSource>(std::move(rows), names.classes->size(), first_file);
}

data::InputSpec outline_vw(std::vector<Input>&, const ReadOptions& options, Log&) {
  data::InputSpec input;
  input.kind = data::InputKind::named;
  input.hash_bits = options.hash_bits;
  input.id = options.id;
  return input;
}

constexpr std::string_view vw_extensions[] = {"vw"};

}  // namespace

FormatEntry vw_format() {
  return {.format = Format::vw,
          .name = "vw",
          .extensions = vw_extensions,
          .precision = Precision::float32,
          .sniff = sniff_vw,
          .load = load_vw,
          .open = open_vw,
          .outline = outline_vw};
}

}  // namespace lazylogit::io
