// Labels that stand apart from the features: `--labels FILE`, or the member y of an archive.
//
// FILE is a .npy array of one dimension (or n × 1) with numbers or text, or a text file with one label a
// line.
#pragma once

#include <string_view>

#include "lazylogit/base/buffer.hpp"
#include "lazylogit/io/formats/npy_header.hpp"
#include "lazylogit/io/inputs.hpp"
#include "lazylogit/io/row_block.hpp"

namespace lazylogit::io {

struct LabelColumn {
  LabelDictionary dictionary;
  Buffer<std::uint32_t> ids;  // per row, into the dictionary
  std::size_t size() const noexcept { return ids.size(); }
  const std::string& canonical(std::size_t row) const noexcept { return dictionary.canonical(ids[row]); }
};

// The labels of an array in memory: `bytes` is a whole .npy file. Errors name the row.
LabelColumn parse_label_array(std::string_view bytes, const ArrayPlace& place, const Limits& limits,
                              data::Response response = data::Response::classes);

LabelColumn load_labels(const std::string& path, const Limits& limits,
                        data::Response response = data::Response::classes);

// One number per row, for weights and offsets; all finite.
Buffer<double> parse_number_array(std::string_view bytes, const ArrayPlace& place);

// One text per row, for ids.
std::vector<std::string> parse_text_array(std::string_view bytes, const ArrayPlace& place);

}  // namespace lazylogit::io
