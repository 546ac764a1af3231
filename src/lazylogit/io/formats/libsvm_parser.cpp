#include "lazylogit/io/formats/libsvm_parser.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "lazylogit/io/formats/libsvm.hpp"
#include "lazylogit/io/formats/libsvm_errors.hpp"
#include "lazylogit/io/growing_names.hpp"
#include "lazylogit/io/parse_number.hpp"
#include "lazylogit/io/token_limit.hpp"
#include "lazylogit/io/token_marks.hpp"

namespace lazylogit::io {
namespace {

const char* line_end(const char* p, const char* end) noexcept {
  const void* found = p < end ? std::memchr(p, '\n', static_cast<std::size_t>(end - p)) : nullptr;
  return found == nullptr ? end : static_cast<const char*>(found);
}

bool at_line_end(const char* p, const char* end) noexcept {
  return p >= end || *p == '\n' || (*p == '\r' && (p + 1 == end || p[1] == '\n'));
}

// An index of eight digits or more, or a stray byte; false when it is no index of at most ten digits.
bool long_index(const char*& p, std::uint64_t& index) noexcept {
  index = 0;
  const char* q = p;
  while (*q >= '0' && *q <= '9' && q - p < 19) index = index * 10 + static_cast<std::uint64_t>(*q++ - '0');
  if (q == p || (*q >= '0' && *q <= '9') || index > max_libsvm_index) return false;
  p = q;
  return true;
}

// The pairs of one row as they were read; `odd` rows need sorting, or zeros taken out.
struct Pairs {
  const char* stop = nullptr;  // the line's end or comment, or the pair that could not be read
  std::size_t count = 0;
  bool bad = false, odd = false, ones = true, query_id = false;
};

// `qid:123` at p: its end; nullptr when it is something else.
const char* query_id_end(const char* p, const char* end) noexcept {
  const char* const stop = token_end(p, end);
  const std::string_view token(p, static_cast<std::size_t>(stop - p));
  std::uint64_t ignored = 0;
  if (token.substr(0, 4) != "qid:" ||
      parse_integer(token.substr(4), std::numeric_limits<std::uint64_t>::max(), ignored) ==
          NumberStatus::malformed)
    return nullptr;
  return stop;
}

// Reads pairs from p, which is just after the label (or at the first pair when there is no label). `seen` hears of each key.
template <class T, class Seen>
Pairs read_pairs(const char* p, const char* end, std::uint64_t base, FeatureId* ids, T* values,
                 const Seen& seen) noexcept {
  Pairs pairs;
  std::size_t count = 0;
  std::uint64_t next_key = 0;  // one more than the key before
  bool descent = false, zero = false, other = false;
  const auto take = [&](std::uint64_t key, T stored) {
    ids[count] = static_cast<FeatureId>(key);
    values[count] = stored;
    ++count;
    seen(static_cast<FeatureId>(key));
    descent |= key < next_key;
    next_key = key + 1;
    zero |= stored == T{0};
    other |= stored != T{1};
  };
  // Pairs as nearly all are, a blank before each; the rest is for the loop below.
  TokenMarks marks({p, static_cast<std::size_t>(end - p)});
  for (const char* mark = marks.next(); mark == p && is_blank(*p);) {
    const char* const from = p + 1;
    mark = marks.next();
    const number::Digits digits = number::leading_digits(number::load8(from));
    if (digits.count - 1 >= 7 || from + digits.count != mark || *mark != ':' || digits.value < base) break;
    const char* const stop = marks.next();
    double value = 1;
    NumberStatus status = NumberStatus::ok;
    const bool is_one = stop - mark == 2 && mark[1] == '1' && *stop == ' ';  // of categories nearly all are
    if (!is_one && (scan_number(mark + 1, end, value, status) != stop || status != NumberStatus::ok ||
                    !(is_blank(*stop) || at_line_end(stop, end))))
      break;
    const T stored = static_cast<T>(value);
    if (!(std::fabs(stored) <= std::numeric_limits<T>::max())) break;
    take(digits.value - base, stored);
    p = mark = stop;
  }
  for (;;) {
    while (is_blank(*p)) ++p;
    pairs.stop = p;
    const number::Digits digits = number::leading_digits(number::load8(p));
    std::uint64_t index = digits.value;
    if (digits.count - 1 < 7) {
      p += digits.count;
    } else if (digits.count == 0) {
      if (at_line_end(p, end) || *p == '#') break;
      p = *p == 'q' ? query_id_end(p, end) : nullptr;
      if (p == nullptr) {
        pairs.bad = true;
        break;
      }
      pairs.query_id = true;
      continue;
    } else if (!long_index(p, index)) {
      pairs.bad = true;
      break;
    }
    double value = 0;
    NumberStatus status = NumberStatus::malformed;
    if (*p == ':' && index >= base) p = scan_number(p + 1, end, value, status);
    const T stored = static_cast<T>(value);
    if (status != NumberStatus::ok || std::fabs(stored) > std::numeric_limits<T>::max() ||
        !(is_blank(*p) || at_line_end(p, end) || *p == '#')) {
      pairs.bad = true;
      break;
    }
    take(index - base, stored);
  }
  pairs.count = count;
  pairs.odd = descent || zero;
  pairs.ones = !other;
  return pairs;
}

// Features that share a hashed column are summed.
ErrorDetail sum_error(const TextBlock& block, const char* at) {
  ErrorDetail detail = block.place(at);
  detail.kind = ErrorKind::input;
  detail.message = "the values of features that share a column sum beyond the range of a number";
  detail.hint = "raise --hash-bits";
  detail.code = "bad-number";
  return detail;
}

}  // namespace

bool libsvm_carries_label(std::string_view label) noexcept {
  if (label.empty()) return false;
  for (const char c : label)
    if (is_blank(c) || c == ':' || c == ',' || c == '#' || c == '\n' || c == '\r') return false;
  return true;
}

namespace {

// A list of labels: commas, and nothing else that a label may not have.
bool libsvm_carries_set(std::string_view token) {
  std::string text(token);
  std::replace(text.begin(), text.end(), ',', '_');
  return libsvm_carries_label(text);
}

}  // namespace

void LibsvmParser::parse(const TextBlock& block, RowBlock& out) const {
  out.clear(*settings_.options, settings_.precision);
  if (settings_.precision == Precision::float64)
    parse_rows(block, out, out.values64);
  else
    parse_rows(block, out, out.values32);
}

// Reads the label at p, or finds that there is none. False: `error` says what is wrong.
bool LibsvmParser::read_label(const TextBlock& block, const char*& p, const char* end, RowBlock& out,
                              std::uint32_t& label, ErrorDetail& error) const {
  const char* const stop = token_end(p, end);
  const std::string_view token(p, static_cast<std::size_t>(stop - p));
  label = no_label;
  if (is_byte_order_mark(p)) {
    error = bad_byte_error(block, p);
    return false;
  }
  const bool sets = settings_.options->response == data::Response::labels;
  if (sets && token.find(':') != std::string_view::npos) {
    label = out.labels.intern({}).value_or(no_label);
    return true;
  }
  if (!settings_.options->labels_required && token.find(':') != std::string_view::npos) return true;
  if (token.size() > settings_.options->limits.max_name_bytes) {
    ErrorDetail detail = block.place(p);
    detail.message = "a label is longer than " + std::to_string(settings_.options->limits.max_name_bytes) +
                     " bytes, which is the limit";
    detail.hint = "see --max-name-bytes";
    detail.code = "name-too-long";
    throw LimitError(std::move(detail));
  }
  if ((libsvm_carries_label(token) || (sets && libsvm_carries_set(token))) &&
      find_bad_byte(token) == nullptr) {
    if (const auto id = out.labels.intern(token)) {
      label = *id;
      p = stop;
      return true;
    }
  }
  error = label_error(block, p, stop, out.labels);
  return false;
}

template <class T>
void LibsvmParser::parse_rows(const TextBlock& block, RowBlock& out, Buffer<T>& values) const {
  const char* p = block.text().data();
  const char* const end = p + block.size;
  const auto base = static_cast<std::uint64_t>(settings_.index_base);
  const bool translate =
      settings_.lookup != nullptr || settings_.growing != nullptr || settings_.hash_bits.has_value();
  out.ids.reserve(block.size / 3 + 2);  // a pair has three bytes at least
  values.reserve(block.size / 3 + 2);
  bool go_on = true;
  while (go_on && p < end) {
    out.begin_row();
    while (is_blank(*p)) ++p;
    std::uint32_t label = no_label;
    ErrorDetail error;
    if (!at_line_end(p, end) && *p != '#') {
      if (!read_label(block, p, end, out, label, error)) {
        go_on = out.reject(std::move(error));
        p = line_end(p, end) + 1;
        continue;
      }
      const char* const first = p;
      const std::size_t begin = out.ids.size();
      FeatureId* const ids = out.ids.data() + begin;
      const GrowingNames* const growing = settings_.hash_bits ? nullptr : settings_.growing;
      const Pairs pairs = growing != nullptr
                              ? read_pairs(p, end, base, ids, values.data() + begin,
                                           [growing](FeatureId key) { growing->prefetch(key); })
                              : read_pairs(p, end, base, ids, values.data() + begin, [](FeatureId) {});
      p = pairs.stop;
      if (pairs.bad) {
        go_on = out.reject(pair_error(block, p, end, settings_.index_base, sizeof(T) == 4));
        p = line_end(p, end) + 1;
        continue;
      }
      out.ids.resize(begin + pairs.count);
      values.resize(begin + pairs.count);
      if (pairs.query_id && out.notices.empty()) out.notices.emplace_back("query ids (qid:N) are ignored");
      check_token_lengths(block, {first, static_cast<std::size_t>(p - first)}, settings_.options->limits);
      if (pairs.count > settings_.options->limits.max_row_features)
        throw row_too_long(block.place(first), *settings_.options);
      if (pairs.odd && out.arrange_row() == RowEnd::repeated) {
        go_on = out.reject(repeated_error(block, first, end, out.problem_id() + base));
        p = line_end(p, end) + 1;
        continue;
      }
      if (translate) {
        if (translate_row(out, values, label) == RowEnd::overflow)
          go_on = out.reject(sum_error(block, first));
      } else if (pairs.odd)
        out.complete_row(label);
      else
        out.complete_row(label, pairs.ones);
    }
    if (p < end && *p == '#') {
      const char* const stop = line_end(p, end);
      if (const char* bad = find_bad_byte({p, static_cast<std::size_t>(stop - p)}))
        go_on = out.note_error(bad_byte_error(block, bad));
      p = stop;
    }
    p += p < end && *p == '\r' ? 2 : 1;
  }
}

// Indices to a model's columns or to hashed ones; the row is arranged and without repetition.
template <class T>
RowEnd LibsvmParser::translate_row(RowBlock& out, Buffer<T>& values, std::uint32_t label) const {
  const std::size_t begin = out.row_begin();
  if (settings_.growing != nullptr &&
      !settings_.hash_bits) {  // distinct indices, distinct columns: in order of index
    for (std::size_t k = begin; k < out.ids.size(); ++k)
      out.ids[k] = settings_.growing->column_of(out.ids[k]);
    out.complete_row(label);
    return RowEnd::ok;
  }
  std::size_t to = begin;
  for (std::size_t k = begin; k < out.ids.size(); ++k) {
    std::uint32_t column = 0;
    if (settings_.hash_bits) {
      char text[16];
      const auto written =
          std::to_chars(text, text + sizeof text,
                        std::uint64_t{out.ids[k]} + static_cast<std::uint64_t>(settings_.index_base));
      const std::uint64_t hash = hash_feature_name({text, static_cast<std::size_t>(written.ptr - text)});
      if (settings_.learning) out.note_hash(hash);
      column = static_cast<std::uint32_t>(hash & ((std::uint64_t{1} << *settings_.hash_bits) - 1));
      if (settings_.lookup != nullptr) column = settings_.lookup->find(column);
    } else {
      column = settings_.lookup->find(out.ids[k]);
    }
    if (column == IndexLookup::unknown) {
      ++out.unknown_features;
      continue;
    }
    out.ids[to] = column;
    values[to++] = values[k];
  }
  out.ids.resize(to);
  values.resize(to);
  const RowEnd end = out.end_row(label);
  return end == RowEnd::repeated ? out.sum_repeated(label) : end;
}

}  // namespace lazylogit::io
