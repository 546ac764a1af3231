#include "lazylogit/model/tensor_reader.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "lazylogit/base/error.hpp"
#include "lazylogit/base/utf8.hpp"

namespace lazylogit::model {

void TensorReader::refuse(std::uint64_t byte, std::string message) const {
  throw InputError({.message = std::move(message), .file = file_, .byte = byte, .code = "bad-model"});
}

const std::string& TensorReader::metadata(const char* key) const {
  const auto found = container_.metadata.find(key);
  if (found == container_.metadata.end())
    refuse(8, fmt::format("the header has no metadata string \"{}\"", key));
  return found->second;
}

const Tensor& TensorReader::require(const char* name, TensorType type,
                                    const std::vector<std::uint64_t>& extents) const {
  const Tensor* tensor = container_.find(name);
  if (tensor == nullptr) refuse(8, fmt::format("the model has no tensor \"{}\"", name));
  if (tensor->type != type || tensor->shape != extents)
    refuse(
        tensor->byte_offset,
        fmt::format("tensor \"{}\" does not have the type and shape that the model's shape asks for", name));
  return *tensor;
}

void TensorReader::copy_numbers(const Tensor& tensor, double* out, Finite finite) const {
  const std::size_t count = tensor.num_bytes() / 8;
  if (count == 0) return;
  std::memcpy(out, tensor.bytes.data(), count * sizeof(double));
  const double limit = finite == Finite::required ? std::numeric_limits<double>::max()
                                                  : std::numeric_limits<double>::infinity();
  std::size_t good = 0;
  for (std::size_t i = 0; i < count; ++i) good += std::fabs(out[i]) <= limit ? 1 : 0;
  if (good == count) return;
  for (std::size_t i = 0; i < count; ++i)
    if (!(std::fabs(out[i]) <= limit))
      refuse(tensor.byte_offset + 8 * i, fmt::format("tensor {} holds {}", quote_text(tensor.name), out[i]));
}

std::vector<std::uint64_t> TensorReader::positions(const char* name, std::uint64_t end) const {
  const Tensor* index = container_.find(name);
  if (index == nullptr || index->type != TensorType::i64 || index->shape.size() != 1)
    refuse(8, fmt::format("the model has no proper tensor \"{}\"", name));
  if (index->shape[0] > end)
    refuse(index->byte_offset, fmt::format("tensor \"{}\" is longer than the model", name));
  std::vector<std::uint64_t> result(index->shape[0]);
  for (std::size_t i = 0; i < result.size(); ++i) {
    std::memcpy(&result[i], index->bytes.data() + 8 * i, sizeof result[i]);
    if (result[i] >= end || (i > 0 && result[i] <= result[i - 1]))
      refuse(index->byte_offset + 8 * i,
             fmt::format("position {} of tensor \"{}\" is out of range or out of order", result[i], name));
  }
  return result;
}

void TensorReader::spread(const std::vector<double>& packed, const Shape& shape, double* padded) {
  const std::size_t vectors = shape.num_vectors(), stride = shape.stride();
  for (std::size_t row = 0; row * vectors < packed.size(); ++row)
    std::memcpy(padded + row * stride, packed.data() + row * vectors, vectors * sizeof(double));
}

std::vector<double> TensorReader::per_coefficient(const char* name, const Shape& shape, Finite finite) const {
  if (container_.find(name) == nullptr) return {};
  const Tensor& tensor = require(name, TensorType::f64, {shape.num_rows(), shape.num_vectors()});
  std::vector<double> packed(tensor.num_bytes() / 8), padded(shape.size());
  copy_numbers(tensor, packed.data(), finite);
  spread(packed, shape, padded.data());
  return padded;
}

data::Alphabet TensorReader::name_table(const std::string& what, std::uint64_t count,
                                        Distinct distinct) const {
  const Tensor& ends = require((what + "_name_ends").c_str(), TensorType::i64, {count});
  const Tensor* names = container_.find(what + "_names");
  if (names == nullptr || names->type != TensorType::u8 || names->shape.size() != 1)
    refuse(8, fmt::format("the model has no proper tensor \"{}_names\"", what));
  Buffer<std::uint64_t> offsets;
  offsets.resize(count);
  if (count > 0) std::memcpy(offsets.data(), ends.bytes.data(), ends.bytes.size());
  const std::string_view bytes = names->bytes;
  std::uint64_t before = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t end = offsets[i];
    const bool inside = end >= before && end <= bytes.size();
    const bool splits =
        inside && end < bytes.size() && (static_cast<unsigned char>(bytes[end]) & 0xC0) == 0x80;
    if (!inside || splits)
      refuse(ends.byte_offset + 8 * i,
             fmt::format("the end of {} name {} is not a place in the names", what, i));
    before = end;
  }
  if (before != bytes.size())
    refuse(names->byte_offset + before, fmt::format("bytes after the last {} name", what));
  if (const std::size_t valid = utf8_valid_prefix(bytes); valid != bytes.size())
    refuse(names->byte_offset + valid, fmt::format("a {} name is not valid UTF-8", what));
  Buffer<char> copy;
  copy.append({bytes.data(), bytes.size()});
  data::Alphabet table = data::Alphabet::from_raw(std::move(copy), std::move(offsets));
  if (distinct == Distinct::required && !table.build_index())
    refuse(names->byte_offset, fmt::format("two {} names are the same", what));
  return table;
}

void TensorReader::check_slots(const std::string& what, const data::Alphabet& names, int hash_bits) const {
  const std::uint64_t end = std::uint64_t{1} << hash_bits;
  std::uint64_t next = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string_view name = names.name(static_cast<FeatureId>(i));
    std::uint64_t slot = 0;
    const char* const last = name.data() + name.size();
    const bool is_slot =
        name.size() > 1 && name.front() == '#' && std::from_chars(name.data() + 1, last, slot).ptr == last;
    if (!is_slot || slot < next || slot >= end || fmt::format("#{}", slot) != name)
      refuse(container_.find(what + "_names")->byte_offset,
             fmt::format("feature {} of a hashed model is called {}", i, quote_text(name)));
    next = slot + 1;
  }
}

}  // namespace lazylogit::model
