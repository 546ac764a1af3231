#include "lazylogit/io/convert.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>

#include "lazylogit/base/counted.hpp"
#include "lazylogit/base/large_blocks.hpp"
#include "lazylogit/io/byte_sink.hpp"
#include "lazylogit/io/formats/format.hpp"
#include "lazylogit/io/writers/writer.hpp"

namespace lazylogit::io {
namespace {

const WriterEntry* find_writer(Format format) {
  for (const WriterEntry& entry : writer_catalog())
    if (entry.format == format) return &entry;
  return nullptr;
}

std::string writable_names() {
  std::string names;
  for (const WriterEntry& entry : writer_catalog())
    names += (names.empty() ? "" : ", ") + std::string(format_name(entry.format));
  return names;
}

}  // namespace

std::vector<std::pair<std::string, Format>> writable_formats() {
  std::vector<std::pair<std::string, Format>> list = {{"auto", Format::automatic}};
  for (const WriterEntry& entry : writer_catalog())
    list.emplace_back(format_name(entry.format), entry.format);
  return list;
}

Format output_format(const std::string& path, Format asked) {
  if (asked == Format::automatic) asked = format_of_name(path);
  if (asked == Format::automatic)
    throw ConfigError("the format of " + quote_text(path) + " cannot be told from its name", "to",
                      "name it: " + writable_names());
  if (asked == Format::text)
    throw ConfigError("text cannot hold a matrix of features", "to", "choose one of " + writable_names());
  if (find_writer(asked) == nullptr)
    throw ConfigError("this format cannot be written", "to", "choose one of " + writable_names());
  return asked;
}

std::string labels_path(const std::string& npy_path) {
  const std::string_view plain = without_compression(npy_path);
  const std::string compression(std::string_view(npy_path).substr(plain.size()));
  const std::string_view stem = plain.ends_with(".npy") ? plain.substr(0, plain.size() - 4) : plain;
  return std::string(stem) + ".labels.npy" + compression;
}

void write_dataset(const data::Dataset& data, Format format, OutputFile& out, OutputFile* labels, Log& log) {
  Table table(data);
  if (table.num_dropped() > 0 && format != Format::cache)
    log.notice(fmt::format("{} {} zero in every row and left out", counted(table.num_dropped(), "feature"),
                           is_or_are(table.num_dropped())));
  const std::unique_ptr<ByteSink> sink = make_byte_sink(out);
  const std::unique_ptr<ByteSink> label_sink = labels == nullptr ? nullptr : make_byte_sink(*labels);
  const WriterEntry& writer = *find_writer(format);
  const WriteContext context = {.path = out.path(), .out = *sink, .labels = label_sink.get(), .log = log};
  check_plain_text(table, writer, context);
  writer.write(table, context);
  sink->finish();
  if (label_sink != nullptr) label_sink->finish();
}

ReadSummary convert(const std::vector<std::string>& inputs, const std::string& output, Format format,
                    ReadOptions options, Log& log, const CancelToken& cancel) {
  format = output_format(output, format);
  std::vector<std::string> read = inputs;
  if (!options.labels_file.empty()) read.push_back(options.labels_file);
  refuse_output_equal_to_input(output, read, "");
  OutputFile out(output);
  std::unique_ptr<OutputFile> labels;
  if (format == Format::npy && output != "-") {
    refuse_output_equal_to_input(labels_path(output), read, "");
    labels = std::make_unique<OutputFile>(labels_path(output));
  }
  // A cache is what training would hold; text formats are to give numbers back as they were.
  if (options.precision == Precision::automatic && format != Format::cache)
    options.precision = Precision::float64;
  options.labels_required = false;
  // A cache may be larger than memory: what is put together lies beside it until it is written.
  std::optional<SpoolScope> beside;
  if (format == Format::cache)
    beside.emplace(is_standard_output(output) ? temporary_directory() : directory_of(output));
  const Loaded loaded = load(inputs, options, log, cancel);
  write_dataset(loaded.data, format, out, labels.get(), log);
  cancel.throw_if_cancelled();
  if (labels != nullptr && labels->bytes_written() > 0) {
    log.notice("labels are in " + quote_text(labels->path()) + ": read them with --labels");
    labels->commit();
  }
  out.commit();
  return loaded.summary;
}

}  // namespace lazylogit::io
