#include "lazylogit/io/choices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "lazylogit/base/error.hpp"
#include "lazylogit/io/formats/json_reader.hpp"
#include "lazylogit/io/text_blocks.hpp"

namespace lazylogit::io {
namespace {

constexpr const char* set_key = "(choice)";
constexpr const char* taken_key = "(taken)";
constexpr const char* default_target_key = "choice";

// Members of an object as written, without the braces.
struct Candidate {
  std::string_view members;
  std::string name;  // as a JSON string; empty in a list
};

class Rewriter {
 public:
  Rewriter(const data::ChoiceSpec& choices, const Limits& limits) : choices_(choices), limits_(limits) {}

  // Appends the rows of a line; throws JsonFault.
  void append(std::string_view line, std::string& out) {
    ++number_;
    common_.clear();
    candidates_.clear();
    taken_ = {};
    bool found = false;
    JsonReader reader(line, limits_.max_json_depth);
    if (reader.peek() != '{') reader.fail("expected an object with the candidates of a choice");
    reader.open('{');
    for (bool first = true; reader.more('}', first); first = false) {
      reader.peek();
      const char* const begin = reader.at();
      const std::string key(reader.read_key(scratch_));
      const JsonKind kind = reader.kind();
      const char* const value = reader.at();
      if (key == choices_.column && !found) {
        read_candidates(reader, kind);
        found = true;
      } else if (key == choices_.target && !taken_.at) {
        taken_ = {value, kind, 0, {}};
        if (kind == JsonKind::number)
          reader.read_number(taken_.number);
        else if (kind == JsonKind::string)
          taken_.name = reader.read_string(scratch_);
        else if (kind != JsonKind::null)
          reader.fail("expected the number or the name of a candidate");
        else
          reader.read_literal(), taken_ = {};
      } else {
        reader.skip_value();
        common_ += common_.empty() ? "" : ",";
        common_.append(begin, static_cast<std::size_t>(reader.at() - begin));
      }
    }
    reader.expect_end();
    if (!found)
      throw JsonFault{line.data(), "has no key " + quote_text(choices_.column) + " with candidates"};
    if (candidates_.empty()) throw JsonFault{line.data(), "has no candidates"};
    const std::optional<std::size_t> taken = position_taken();
    for (std::size_t c = 0; c < candidates_.size(); ++c) write(candidates_[c], c, taken, out);
  }

 private:
  struct Taken {
    const char* at = nullptr;
    JsonKind kind = JsonKind::null;
    double number = 0;
    std::string name;
  };

  void read_candidates(JsonReader& reader, JsonKind kind) {
    if (kind != JsonKind::array && kind != JsonKind::object)
      reader.fail("expected a list of candidates, or an object of them by name");
    const bool named = kind == JsonKind::object;
    seen_.clear();
    reader.open(named ? '{' : '[');
    for (bool first = true; reader.more(named ? '}' : ']', first); first = false) {
      Candidate candidate;
      if (named) {
        reader.peek();
        const char* const begin = reader.at();
        names_.resize(candidates_.size() + 1);
        names_.back() = reader.read_key(scratch_);
        if (!seen_.insert(names_.back()).second)
          throw JsonFault{begin, "two candidates are called " + quote_text(names_.back())};
        const char* end = begin + 1;
        for (; *end != '"'; ++end)
          if (*end == '\\') ++end;
        candidate.name.assign(begin, static_cast<std::size_t>(end + 1 - begin));
      }
      if (reader.kind() != JsonKind::object) reader.fail("expected a candidate: an object of its features");
      const char* const begin = reader.at();
      reader.skip_value();
      candidate.members = {begin + 1, static_cast<std::size_t>(reader.at() - begin) - 2};
      candidates_.push_back(std::move(candidate));
    }
    names_.resize(named ? candidates_.size() : 0);
  }

  std::optional<std::size_t> position_taken() const {
    if (taken_.at == nullptr) return std::nullopt;
    if (taken_.kind == JsonKind::string) {
      for (std::size_t c = 0; c < names_.size(); ++c)
        if (names_[c] == taken_.name) return c;
      throw JsonFault{taken_.at, "no candidate is called " + quote_text(taken_.name)};
    }
    const double last = static_cast<double>(candidates_.size()) - 1;
    if (!(taken_.number >= 0 && taken_.number <= last) || taken_.number != std::floor(taken_.number))
      throw JsonFault{taken_.at, fmt::format("found {}, expected the number of a candidate from 0 to {}",
                                             taken_.number, last)};
    return static_cast<std::size_t>(taken_.number);
  }

  void write(const Candidate& candidate, std::size_t position, std::optional<std::size_t> taken,
             std::string& out) {
    out += '{';
    const auto add = [&](std::string_view members) {
      if (members.find_first_not_of(" \t\r\n") == std::string_view::npos) return;
      out += members;
      out += ',';
    };
    add(common_);
    add(candidate.members);
    if (!candidate.name.empty()) {
      scratch_ = quote_json(choices_.column);
      out += scratch_ + ":" + candidate.name + ",";
    }
    if (taken) out += fmt::format("\"{}\":{},", taken_key, position == *taken ? 1 : 0);
    out += fmt::format("\"{}\":\"{}\"}}\n", set_key, number_);
  }

  // A column's name came from a JSON key or a command line; quotes and backslashes are all that needs care.
  static std::string quote_json(const std::string& text) {
    std::string quoted = "\"";
    for (const char c : text) {
      if (c == '"' || c == '\\') quoted += '\\';
      quoted += c;
    }
    return quoted + '"';
  }

  const data::ChoiceSpec& choices_;
  const Limits& limits_;
  std::uint64_t number_ = 0;
  std::string common_, scratch_;
  std::vector<Candidate> candidates_;
  std::vector<std::string> names_;  // unescaped
  std::unordered_set<std::string> seen_;
  Taken taken_;
};

// The long form of nested lines, made as it is read.
class RewritingSource final : public ByteSource {
 public:
  RewritingSource(data::ChoiceSpec choices, const Limits& limits, std::vector<Input> inputs)
      : choices_(std::move(choices)),
        limits_(limits),
        inputs_(std::move(inputs)),
        rewriter_(choices_, limits_),
        blocks_(inputs_, RecordRule::lines, limits_) {
    blocks_.set_eager();
  }

  std::size_t read(char* to, std::size_t size) override {
    while (at_ == text_.size() && size > 0)
      if (!next_block()) return 0;
    const std::size_t count = std::min(size, text_.size() - at_);
    std::copy_n(text_.data() + at_, count, to);
    at_ += count;
    return count;
  }
  // A block that is not full came from a pipe whose writer is slow.
  bool ready() const override {
    return at_ < text_.size() || block_.size + most_carried >= default_block_bytes;
  }
  std::uint64_t consumed() const noexcept override { return blocks_.bytes_done(); }

 private:
  static constexpr std::size_t most_carried = default_block_bytes / 2;

  bool next_block() {
    text_.clear();
    at_ = 0;
    if (!blocks_.next(block_)) return false;
    const std::string_view text = block_.text();
    if (const char* bad = find_bad_byte(text)) throw InputError(bad_byte_error(block_, bad));
    for (std::size_t from = 0; from < text.size();) {
      const std::size_t end = std::min(text.find('\n', from), text.size());
      const std::string_view line = text.substr(from, end - from);
      from = end + 1;
      if (is_byte_order_mark(line.data())) throw InputError(bad_byte_error(block_, line.data()));
      if (line.find_first_not_of(" \t\r") != std::string_view::npos) append(line);
    }
    return true;
  }

  void append(std::string_view line) {
    try {
      rewriter_.append(line, text_);
    } catch (const JsonFault& fault) {
      ErrorDetail detail = block_.place(fault.at);
      detail.kind = fault.is_limit ? ErrorKind::environment : ErrorKind::input;
      detail.message = fault.message;
      detail.code = fault.is_limit ? "limit" : "bad-json";
      throw InputError(std::move(detail));
    }
  }

  data::ChoiceSpec choices_;
  Limits limits_;
  std::vector<Input> inputs_;
  Rewriter rewriter_;
  TextBlocks blocks_;
  TextBlock block_;
  std::string text_;
  std::size_t at_ = 0;
};

void rewrite(const data::ChoiceSpec& choices, const Limits& limits, std::vector<Input>& inputs) {
  std::string name = inputs.front().name() + " (candidates)";
  auto source = std::make_unique<RewritingSource>(choices, limits, std::move(inputs));
  inputs.clear();
  inputs.push_back(Input::from_source(std::move(name), std::move(source), limits));
}

// Whether the first line holds its candidates itself.
bool is_nested(Input& input, const std::string& column, const Limits& limits) {
  const std::string_view peeked = input.peek();
  std::string line(peeked.substr(0, peeked.find('\n')));
  const std::size_t size = line.size();
  line.append(block_padding, '\0');
  std::string scratch;
  try {
    JsonReader reader(std::string_view(line).substr(0, size), limits.max_json_depth);
    if (reader.peek() != '{') return false;
    reader.open('{');
    for (bool first = true; reader.more('}', first); first = false) {
      const bool here = reader.read_key(scratch) == column;
      const JsonKind kind = reader.kind();
      if (here) return kind == JsonKind::array || kind == JsonKind::object;
      reader.skip_value();
    }
  } catch (const JsonFault&) {  // the line is longer than what was looked at, or no JSON: reading will say
  }
  return false;
}

}  // namespace

data::ChoiceSpec use_choices(std::vector<Input>& inputs, const FormatEntry& entry, ReadOptions& options) {
  if (entry.format != Format::csv && entry.format != Format::tsv && entry.format != Format::jsonl)
    throw ConfigError(fmt::format("{} data has no columns to tell choices apart", entry.name), "choices",
                      "csv, tsv and jsonl have");
  if (!options.id.empty())
    throw ConfigError("the column of the choices is passed through instead", "id", "leave it out");
  if (options.skip_bad_rows)
    throw ConfigError("a choice without one of its candidates is another choice", "on-bad-row",
                      "correct the row");
  if (options.missing == data::MissingPolicy::drop_row)
    throw ConfigError("a choice without one of its candidates is another choice", "missing",
                      "take impute or error");
  data::ChoiceSpec choices{options.choices, false, {}};
  if (entry.format == Format::jsonl && is_nested(inputs.front(), choices.column, options.limits)) {
    choices.nested = true;
    choices.target = options.target.empty() ? default_target_key : options.target;
    options.target = taken_key;
    options.id = set_key;
    rewrite(choices, options.limits, inputs);
  } else {
    options.id = choices.column;
  }
  return choices;
}

void apply_choices(const data::ChoiceSpec& choices, std::vector<Input>& inputs, const ReadOptions& options) {
  if (options.skip_bad_rows)
    throw ConfigError("a choice without one of its candidates is another choice", "on-bad-row",
                      "correct the row");
  if (choices.nested) rewrite(choices, options.limits, inputs);
}

}  // namespace lazylogit::io
