#include "lazylogit/io/formats/text.hpp"

#include <cstring>
#include <string>

#include "lazylogit/io/bad_byte_cursor.hpp"
#include "lazylogit/io/columns/row_roles.hpp"
#include "lazylogit/io/parse_number.hpp"
#include "lazylogit/io/row_block.hpp"
#include "lazylogit/io/text/ngram_counter.hpp"
#include "lazylogit/io/text/tfidf.hpp"
#include "lazylogit/io/text_format.hpp"

namespace lazylogit::io {
namespace {

std::string_view without_cr(std::string_view line) {
  return !line.empty() && line.back() == '\r' ? line.substr(0, line.size() - 1) : line;
}

// A number, a blank and more: no document begins so as often as tables do.
bool starts_with_fields(std::string_view line) {
  const std::size_t blank = line.find(' ');
  double value = 0;
  return blank != std::string_view::npos && parse_number(line.substr(0, blank), value) == NumberStatus::ok;
}

// Parses blocks of documents; shared by all threads and therefore constant.
class DocumentParser {
 public:
  DocumentParser(const data::TextSpec& spec, NameResolver resolver, const ReadOptions& options,
                 Precision precision)
      : spec_(spec), resolver_(resolver), options_(&options), precision_(precision) {}

  void operator()(const TextBlock& block, RowBlock& out) const {
    out.clear(*options_, precision_);
    const std::string_view text = block.text();
    BadByteCursor bad_bytes(block);
    NgramCounter counter(spec_.ngrams);
    Tokenizer tokenizer(spec_);
    bool first = block.first_of_file;
    for (std::size_t from = 0; from < text.size();) {
      const std::size_t line_end = text.find('\n', from);
      const std::size_t next = line_end == std::string_view::npos ? text.size() : line_end + 1;
      const std::string_view line =
          without_cr(text.substr(from, (line_end == std::string_view::npos ? next : line_end) - from));
      from = next;
      if (const char* bad = bad_bytes.in_line(line.data(), text.data() + next)) {
        out.begin_row();
        if (!out.reject(bad_byte_error(block, bad))) return;
      } else if (first && is_text_header(line)) {
        out.notices.push_back("the first line is the header label<TAB>text; it is not a document");
      } else if (!parse_line(block, line, counter, tokenizer, out)) {
        return;
      }
      first = false;
    }
  }

 private:
  bool parse_line(const TextBlock& block, std::string_view line, NgramCounter& counter, Tokenizer& tokenizer,
                  RowBlock& out) const {
    if (line.empty() && options_->labels_required) return true;
    out.begin_row();
    const std::size_t tab = line.find('\t');
    std::uint32_t label = no_label;
    if (tab == std::string_view::npos && options_->labels_required)
      return fail(block, line.data(), "no tab in the line " + quote_text(line), "a label, a tab and the text",
                  "no-tab", out,
                  starts_with_fields(line) ? "fields between single blanks are --format csv --delimiter ' '"
                                           : "--format names another format");
    if (is_text_header(line))
      return fail(block, line.data(), "the header is repeated here, as in files put one after another",
                  "a document", "repeated-header", out, "give the files one by one");
    const bool sets = options_->response == data::Response::labels;
    if (tab == 0 && options_->labels_required && !sets)
      return fail(block, line.data(), "no label before the tab", "a label, a tab and the text", "no-label",
                  out);
    if (tab != std::string_view::npos && (tab > 0 || sets)) {
      const std::string_view token = line.substr(0, tab);
      if (token.size() > options_->limits.max_name_bytes) return too_long(block, line.data(), out);
      const std::optional<std::uint32_t> id = out.labels.intern(token);
      if (!id)
        return fail(block, line.data(),
                    "label " + quote_text(token) +
                        (options_->response == data::Response::classes ? " is blank or not a finite number"
                                                                       : " is none"),
                    out.labels.expected(), "bad-label", out);
      label = *id;
    }
    const std::string_view document = tab == std::string_view::npos ? line : line.substr(tab + 1);
    tokenizer.split(document);
    const std::uint64_t limit = options_->limits.max_name_bytes;
    if (tokenizer.num_bytes() > limit && tokenizer.longest_ngram() > limit)
      return too_long(block, document.data(), out);
    const RowEnd end = resolver_.mode() == FeatureMode::named ? count_ngrams(label, counter, tokenizer, out)
                                                              : resolve_ngrams(label, tokenizer, out);
    if (end == RowEnd::too_long) throw row_too_long(block.place(document.data()), *options_);
    return true;
  }

  // Numbers of the block say nothing about the order of columns: rows are sorted when all are known.
  RowEnd count_ngrams(std::uint32_t label, NgramCounter& counter, const Tokenizer& tokenizer,
                      RowBlock& out) const {
    const std::vector<NgramCounter::Entry>& entries = counter.count(tokenizer, out.grams);
    if (entries.size() > options_->limits.max_row_features) return RowEnd::too_long;
    bool ones = true;
    for (const NgramCounter::Entry& entry : entries) {
      out.add_value(entry.id, entry.count);
      ones = ones && entry.count == 1;
    }
    out.complete_row(label, ones);
    return RowEnd::ok;
  }

  RowEnd resolve_ngrams(std::uint32_t label, const Tokenizer& tokenizer, RowBlock& out) const {
    tokenizer.for_each_ngram([&](std::string_view gram) {
      if (const std::optional<std::uint32_t> id = resolver_.resolve(gram, out)) out.add_value(*id, 1.0);
    });
    const RowEnd end = out.end_row(label);
    return end == RowEnd::repeated ? out.sum_repeated(label) : end;
  }

  static bool fail(const TextBlock& block, const char* at, std::string message, std::string expected,
                   std::string code, RowBlock& out, std::string hint = {}) {
    ErrorDetail detail = block.place(at);
    detail.hint = std::move(hint);
    detail.kind = ErrorKind::input;
    detail.message = std::move(message) + ", expected " + expected;
    detail.expected = std::move(expected);
    detail.code = std::move(code);
    return out.reject(std::move(detail));
  }
  bool too_long(const TextBlock& block, const char* at, RowBlock& out) const {
    return out.reject(placed(limit_error("a name is longer than the limit of " +
                                             std::to_string(options_->limits.max_name_bytes) + " bytes",
                                         "max-name-bytes"),
                             block.place(at)));
  }

  data::TextSpec spec_;
  NameResolver resolver_;
  const ReadOptions* options_;
  Precision precision_;
};

// Documents under a model's names: counts, or tf-idf values with the model's factors.
class TfidfSource final : public RowSource {
 public:
  TfidfSource(std::unique_ptr<RowSource> counts, const std::vector<double>& idf, bool store_double)
      : counts_(std::move(counts)), idf_(&idf), store_double_(store_double) {}
  bool next(data::Rows& rows) override {
    if (!counts_->next(rows)) return false;
    apply_tfidf_to_rows(rows.x, *idf_, store_double_);
    return true;
  }
  const ReadSummary& summary() const override { return counts_->summary(); }

 private:
  std::unique_ptr<RowSource> counts_;
  const std::vector<double>* idf_;
  bool store_double_;
};

Precision text_precision(const ReadOptions& options) {
  return effective_precision(options, find_format(Format::text));
}

std::string_view first_line(std::string_view prefix) {
  return without_cr(prefix.substr(0, prefix.find('\n')));
}

}  // namespace

bool is_text_header(std::string_view line) {
  constexpr std::string_view header = "label\ttext";
  if (line.size() != header.size()) return false;
  for (std::size_t i = 0; i < line.size(); ++i)
    if ((line[i] >= 'A' && line[i] <= 'Z' ? line[i] + ('a' - 'A') : line[i]) != header[i]) return false;
  return true;
}

namespace {

int sniff_text(std::string_view prefix) {
  if (is_text_header(first_line(prefix))) return 100;
  std::size_t lines = 0, documents = 0;
  while (!prefix.empty()) {
    const std::size_t end = prefix.find('\n');
    if (end == std::string_view::npos && lines > 0) break;  // the last line may be cut
    const std::string_view line = prefix.substr(0, end);
    prefix.remove_prefix(end == std::string_view::npos ? prefix.size() : end + 1);
    const std::size_t tab = line.find('\t');
    if (tab == std::string_view::npos || tab == 0 || line.find('\t', tab + 1) != std::string_view::npos)
      return 0;
    ++lines;
    documents += line.find(' ', tab + 1) != std::string_view::npos ? 1 : 0;
  }
  return lines == 0 ? 0 : documents * 2 > lines ? 80 : 20;
}

}  // namespace

Loaded load_documents(std::vector<Input>& inputs, const ReadOptions& options, Log& log,
                      const CancelToken& cancel, std::size_t block_bytes) {
  TextRun run;
  run.format = Format::text;
  run.block_bytes = block_bytes;
  run.input.kind = data::InputKind::text;
  run.input.text = {.ngrams = options.ngrams, .lowercase = options.lowercase, .tfidf = options.tfidf};
  run.input.hash_bits = options.hash_bits;
  const NameResolver resolver = NameResolver::learning(options.hash_bits);
  run.mode = resolver.mode();
  const Precision precision = text_precision(options);
  Loaded loaded = load_text(inputs, run, DocumentParser(run.input.text, resolver, options, precision),
                            options, log, cancel);
  if (options.tfidf) loaded.data.idf = learn_tfidf(loaded.data.x, precision == Precision::float64);
  return loaded;
}

data::InputSpec outline_documents(std::vector<Input>&, const ReadOptions& options, Log&) {
  data::InputSpec input;
  input.kind = data::InputKind::text;
  input.text = {.ngrams = options.ngrams, .lowercase = options.lowercase, .tfidf = false};
  input.hash_bits = options.hash_bits;
  return input;
}

std::unique_ptr<RowSource> open_documents(std::vector<Input> inputs, const FixedNames& names,
                                          const ReadOptions& options, Log& log, const CancelToken& cancel) {
  TextRun run;
  run.format = Format::text;
  const NameResolver resolver = NameResolver::fixed(names);
  run.mode = resolver.mode();
  const Precision precision = text_precision(options);
  std::unique_ptr<RowSource> counts =
      stream_text(std::move(inputs), run, DocumentParser(names.input->text, resolver, options, precision),
                  names, options, log, cancel);
  if (!names.input->text.tfidf) return counts;
  return std::make_unique<TfidfSource>(std::move(counts), *names.idf, precision == Precision::float64);
}

namespace {

Loaded load_text_format(std::vector<Input>& inputs, const ReadOptions& options, Log& log,
                        const CancelToken& cancel) {
  return load_documents(inputs, options, log, cancel);
}

constexpr std::string_view text_extensions[] = {"txt", "text"};

}  // namespace

FormatEntry text_format() {
  return {.format = Format::text,
          .name = "text",
          .extensions = text_extensions,
          .precision = Precision::float32,
          .sniff = sniff_text,
          .load = load_text_format,
          .open = open_documents,
          .outline = outline_documents};
}

}  // namespace lazylogit::io
