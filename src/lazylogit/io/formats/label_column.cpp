#include "lazylogit/io/formats/label_column.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "lazylogit/base/error.hpp"
#include "lazylogit/io/formats/npy_element.hpp"
#include "lazylogit/io/text_blocks.hpp"
#include "lazylogit/io/whole_input.hpp"

namespace lazylogit::io {
namespace {

// Checks that `bytes` is a column: rank 1, or 2 with one column, and exactly as long as its shape says.
NpyHeader parse_column_header(std::string_view bytes, const ArrayPlace& place) {
  const NpyHeader header = parse_npy_header(bytes, place);
  if (header.shape.size() != 1 && !(header.shape.size() == 2 && header.shape[1] == 1))
    reject_array(
        place, 0,
        fmt::format("expected one value per row (one dimension), found {} dimensions", header.shape.size()));
  if (header.item_bytes == 0) reject_array(place, 0, "the elements are empty text");
  check_npy_size(header, bytes.size(), place);
  return header;
}

const char* element(const NpyHeader& header, std::string_view bytes, std::uint64_t row) {
  return bytes.data() + header.data_offset + row * header.item_bytes;
}

std::uint64_t element_offset(const NpyHeader& header, std::uint64_t row) {
  return header.data_offset + row * header.item_bytes;
}

void add_label(LabelColumn& labels, std::string_view token, const ErrorDetail& place, const Limits& limits) {
  ErrorDetail detail = place;
  if (token.size() > limits.max_name_bytes)
    throw IoError(place.file,
                  fmt::format("a label is longer than the limit of {} bytes", limits.max_name_bytes),
                  "--max-name-bytes raises it");
  if (token.empty() && labels.dictionary.response() != data::Response::labels) {
    detail.message = fmt::format("row {} has no label", labels.size() + 1);
    throw InputError(std::move(detail));
  }
  const auto id = labels.dictionary.intern(token);
  if (!id) {
    detail.message = labels.dictionary.response() == data::Response::labels
                         ? fmt::format("labels {} of row {}; expected {}", quote_text(token),
                                       labels.size() + 1, labels.dictionary.expected())
                         : fmt::format("label {} of row {} is not finite; expected a name or a finite number",
                                       quote_text(token), labels.size() + 1);
    throw InputError(std::move(detail));
  }
  labels.ids.push_back(*id);
}

// Numbers are read as classes here: their texts are what rows take.
LabelColumn column_of(data::Response response) {
  LabelColumn labels;
  if (response == data::Response::labels) labels.dictionary.set_response(response);
  return labels;
}

LabelColumn load_text_labels(Input& input, const Limits& limits, data::Response response) {
  std::vector<Input> inputs;
  inputs.push_back(std::move(input));
  TextBlocks blocks(inputs, RecordRule::lines, limits);
  TextBlock block;
  LabelColumn labels = column_of(response);
  while (blocks.next(block)) {
    const std::string_view text = block.text();
    if (const char* bad = find_bad_byte(text)) throw InputError(bad_byte_error(block, bad));
    for (std::size_t from = 0; from < text.size();) {
      const std::size_t end = std::min(text.find('\n', from), text.size());
      std::string_view line = text.substr(from, end - from);
      if (is_byte_order_mark(line.data())) throw InputError(bad_byte_error(block, line.data()));
      while (!line.empty() && (line.back() == '\r' || line.back() == ' ' || line.back() == '\t'))
        line.remove_suffix(1);
      while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
      // Only for a message: finding the line is linear in the offset.
      if (line.empty() || line.size() > limits.max_name_bytes || !labels.dictionary.intern(line))
        add_label(labels, line, block.place(text.data() + from), limits);
      else
        add_label(labels, line, {}, limits);
      from = end + 1;
    }
  }
  return labels;
}

}  // namespace

LabelColumn parse_label_array(std::string_view bytes, const ArrayPlace& place, const Limits& limits,
                              data::Response response) {
  const NpyHeader header = parse_column_header(bytes, place);
  LabelColumn labels = column_of(response);
  for (std::uint64_t row = 0; row < header.num_items; ++row) {
    const auto label = npy_label(header, element(header, bytes, row));
    const std::uint64_t offset = element_offset(header, row);
    if (!label) reject_array(place, offset, fmt::format("the label of row {} is not valid Unicode", row + 1));
    if (find_bad_byte(*label) != nullptr)
      reject_array(
          place, offset,
          fmt::format("the label {} of row {} has a control character", quote_text(*label), row + 1));
    add_label(labels, *label,
              {.message = {}, .file = place.file, .byte = place.first_byte + (place.compressed ? 0 : offset)},
              limits);
  }
  return labels;
}

LabelColumn load_labels(const std::string& path, const Limits& limits, data::Response response) {
  Input input(path, limits);
  if (!input.peek(npy_magic.size()).starts_with(npy_magic)) return load_text_labels(input, limits, response);
  const Buffer<char> bytes = read_whole(input);
  return parse_label_array({bytes.data(), bytes.size()}, {.file = input.name()}, limits, response);
}

Buffer<double> parse_number_array(std::string_view bytes, const ArrayPlace& place) {
  const NpyHeader header = parse_column_header(bytes, place);
  if (header.is_text()) reject_array(place, 0, "expected numbers, found text");
  Buffer<double> numbers;
  numbers.resize(header.num_items);
  decode_npy_numbers(header, element(header, bytes, 0), header.item_bytes, header.num_items, numbers.data());
  for (std::uint64_t row = 0; row < header.num_items; ++row)
    if (!std::isfinite(numbers[row]))
      reject_array(place, element_offset(header, row),
                   fmt::format("the value of row {} is not finite", row + 1));
  return numbers;
}

std::vector<std::string> parse_text_array(std::string_view bytes, const ArrayPlace& place) {
  const NpyHeader header = parse_column_header(bytes, place);
  std::vector<std::string> texts;
  for (std::uint64_t row = 0; row < header.num_items; ++row) {
    auto text = npy_label(header, element(header, bytes, row));
    if (!text || find_bad_byte(*text) != nullptr)
      reject_array(place, element_offset(header, row),
                   fmt::format("the text of row {} is not valid", row + 1));
    texts.push_back(std::move(*text));
  }
  return texts;
}

}  // namespace lazylogit::io
