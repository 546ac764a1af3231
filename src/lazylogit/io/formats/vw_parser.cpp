#include "lazylogit/io/formats/vw_parser.hpp"

#define XXH_INLINE_ALL  // names are short: the call costs as much as the hash
#include <xxhash.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <utility>

#include "lazylogit/io/bad_byte_cursor.hpp"
#include "lazylogit/io/formats/vw_quick.hpp"
#include "lazylogit/io/token_limit.hpp"

namespace lazylogit::io {
namespace {

bool reject_problem(const TextBlock& block, const VwProblem& problem, RowBlock& out) {
  ErrorDetail detail = block.place(problem.at);
  detail.kind = ErrorKind::input;
  detail.message = problem.message;
  detail.hint = problem.hint;
  detail.found = quote_text(problem.found);
  detail.code = problem.code;
  return out.reject(std::move(detail));
}

[[noreturn]] void name_too_long(const TextBlock& block, const char* at, const ReadOptions& options) {
  ErrorDetail detail = block.place(at);
  detail.message =
      "a name is longer than the limit of " + std::to_string(options.limits.max_name_bytes) + " bytes";
  detail.hint = "see --max-name-bytes";
  detail.code = "name-too-long";
  throw LimitError(std::move(detail));
}

// Optional columns stay empty until a row has something to say; then the rows before it get `usual`.
void push_optional(Buffer<double>& column, double value, double usual, std::size_t num_rows) {
  if (column.empty() && value == usual) return;
  while (column.size() + 1 < num_rows) column.push_back(usual);
  column.push_back(value);
}

}  // namespace

void VwParser::operator()(const TextBlock& block, RowBlock& out) const {
  out.clear(*options_, precision_);
  const std::string_view text = block.text();
  BadByteCursor bad_bytes(block);
  std::string name;
  PairIndex index;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t line_end = text.find('\n', from);
    const std::size_t end = line_end == std::string_view::npos ? text.size() : line_end;
    const std::size_t next = line_end == std::string_view::npos ? text.size() : line_end + 1;
    std::string_view line = text.substr(from, end - from);
    if (line.ends_with('\r')) line.remove_suffix(1);
    from = next;
    if (const char* bad = bad_bytes.in_line(line.data(), text.data() + next)) {
      out.begin_row();
      if (!out.reject(bad_byte_error(block, bad))) return;
    } else if (line.find_first_not_of(" \t") != std::string_view::npos) {
      if (!parse_line(block, line, index, name, out)) return;
    }
  }
}

bool VwParser::parse_line(const TextBlock& block, std::string_view line, PairIndex& index, std::string& name,
                          RowBlock& out) const {
  out.begin_row();
  const std::size_t bar = line.find('|');
  if (bar == std::string_view::npos)
    return reject_problem(
        block,
        {line.data(),
         "no bar in the line " + quote_text(line) + "; expected [label [importance [base]]] ['tag]| features",
         {},
         line,
         "no-bar"},
        out);
  VwHead head;
  const bool sets = options_->response == data::Response::labels;
  if (const auto problem = parse_vw_head(line, bar, head, sets)) return reject_problem(block, *problem, out);
  std::uint32_t label = no_label;
  if (!head.label.empty()) {
    if (head.label.size() > options_->limits.max_name_bytes)
      name_too_long(block, head.label.data(), *options_);
    const auto id = out.labels.intern(head.label);
    if (!id)
      return reject_problem(
          block,
          {head.label.data(),
           "label " + quote_text(head.label) +
               (options_->response == data::Response::classes ? " is not finite; expected " : "; expected ") +
               out.labels.expected(),
           {},
           head.label,
           "bad-label"},
          out);
    label = *id;
  } else if (sets) {
    label = out.labels.intern({}).value_or(no_label);
  } else if (options_->labels_required) {
    return reject_problem(
        block, {line.data(), "no label before the bar; expected a class and a blank", {}, {}, "no-label"},
        out);
  }
  bool go_on = true, ones = false;
  const bool quick = add_quickly(block, line.substr(bar), index, out, ones);
  if (!quick && !add_features(block, line.substr(bar), name, out, go_on)) return go_on;
  check_token_lengths(block, line, options_->limits);
  return end_row(block, line, head, label, quick ? out.end_plain_row(label, ones) : out.end_row(label), out);
}

// False: to be read again, carefully.
bool VwParser::add_quickly(const TextBlock& block, std::string_view text, PairIndex& index, RowBlock& out,
                           bool& ones) const {
  if (!resolver_.knows_all()) return false;
  const std::size_t begin = out.row_begin();
  LineMarks marks(index, text, block.text().data() + block.size);
  const auto read = [&](auto& values) {
    const auto read_with = [&](const auto& resolve) {
      out.ids.resize(begin + text.size() / 2 + 1);
      values.resize(out.ids.size());
      return read_vw_features(text, marks, options_->limits.max_name_bytes, resolve, out.ids.data() + begin,
                              values.data() + begin, ones);
    };
    const std::ptrdiff_t count =
        resolver_.slot_mask() ? read_with([mask = *resolver_.slot_mask()](std::string_view name) {
          return static_cast<std::uint32_t>(XXH3_64bits(name.data(), name.size())) & mask;
        })
                              : read_with([&](std::string_view name) { return resolver_.grow(name); });
    const std::size_t kept = begin + static_cast<std::size_t>(std::max<std::ptrdiff_t>(count, 0));
    out.ids.resize(kept);
    values.resize(kept);
    return count >= 0;
  };
  return out.store_double ? read(out.values64) : read(out.values32);
}

// False: the row has been rejected, and `go_on` says whether the next one is wanted.
bool VwParser::add_features(const TextBlock& block, std::string_view text, std::string& name, RowBlock& out,
                            bool& go_on) const {
  VwFeatures features(text);
  std::size_t prefix = 0;  // of `name`: the namespace and its separator
  for (;;) {
    switch (features.next()) {
      case VwFeatures::Step::end:
        return true;
      case VwFeatures::Step::problem:
        go_on = reject_problem(block, features.problem(), out);
        return false;
      case VwFeatures::Step::name_space:
        name.assign(features.name_space());
        if (!name.empty()) name += '^';
        prefix = name.size();
        break;
      case VwFeatures::Step::feature:
        if (!add_feature(block, features, name, prefix, out, go_on)) return false;
        break;
    }
  }
}

bool VwParser::add_feature(const TextBlock& block, const VwFeatures& features, std::string& name,
                           std::size_t prefix, RowBlock& out, bool& go_on) const {
  const char* const at = features.name().data();
  if (prefix + features.name().size() > options_->limits.max_name_bytes) name_too_long(block, at, *options_);
  if (precision_ == Precision::float32 && std::abs(features.value()) > FLT_MAX) {
    go_on = reject_problem(block,
                           {at,
                            "the value of feature " + quote_text(features.name()) +
                                " is beyond the range of a float; expected a finite float32",
                            "--precision float64 keeps it", features.name(), "bad-number"},
                           out);
    return false;
  }
  if (features.value() == 0) return true;  // the same as absent: neither learned nor unknown
  std::string_view whole = features.name();
  if (prefix > 0) {
    name.resize(prefix);
    whole = name += features.name();
  }
  if (const auto id = resolver_.resolve(whole, out)) out.add_value(*id, features.value());
  return true;
}

// The feature with which the open row has more than --max-row-features; the row is lost.
const char* VwParser::excess_feature(const TextBlock& block, std::string_view line, RowBlock& out) const {
  out.drop_row();
  out.begin_row();
  VwFeatures features(line.substr(line.find('|')));
  std::string name;
  std::size_t prefix = 0;
  for (bool go_on = true;;) {
    const VwFeatures::Step step = features.next();
    if (step == VwFeatures::Step::name_space) {
      name.assign(features.name_space());
      if (!name.empty()) name += '^';
      prefix = name.size();
    } else if (step != VwFeatures::Step::feature || !add_feature(block, features, name, prefix, out, go_on)) {
      return line.data();
    } else if (out.ids.size() - out.row_begin() > options_->limits.max_row_features) {
      return features.name().data();
    }
  }
}

bool VwParser::end_row(const TextBlock& block, std::string_view line, const VwHead& head, std::uint32_t label,
                       RowEnd end, RowBlock& out) const {
  if (end == RowEnd::repeated) end = out.sum_repeated(label);
  if (end == RowEnd::too_long) throw row_too_long(block.place(excess_feature(block, line, out)), *options_);
  if (end == RowEnd::overflow)
    return reject_problem(
        block,
        {line.data(),
         "the values of a repeated feature sum beyond the range of a number; expected a finite sum",
         {},
         line,
         "bad-number"},
        out);
  push_optional(out.weights, head.importance, 1, out.num_rows());
  push_optional(out.offsets, head.base, 0, out.num_rows());
  if (keep_tags_) out.row_ids.emplace_back(head.tag);
  return true;
}

}  // namespace lazylogit::io
