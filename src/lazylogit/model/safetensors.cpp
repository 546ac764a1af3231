#include "lazylogit/model/safetensors.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>

#include "lazylogit/base/error.hpp"
#include "lazylogit/base/output_file.hpp"
#include "lazylogit/model/json_fields.hpp"

namespace lazylogit::model {
namespace {

using nlohmann::json;
static_assert(std::endian::native == std::endian::little, "tensors are copied as they lie in memory");

constexpr std::string_view header_start = R"({"__metadata__":{"checksum":")";
static_assert(checksum_offset == 8 + header_start.size());

struct TypeName {
  TensorType type;
  const char* name;
  std::uint64_t item_bytes;
};
constexpr std::array<TypeName, 4> type_names{{{TensorType::f64, "F64", 8},
                                              {TensorType::i64, "I64", 8},
                                              {TensorType::f32, "F32", 4},
                                              {TensorType::u8, "U8", 1}}};

const TypeName& of_type(TensorType type) {
  return *std::find_if(type_names.begin(), type_names.end(),
                       [&](const auto& row) { return row.type == type; });
}

[[noreturn]] void refuse(const std::string& file, std::uint64_t byte, std::string message,
                         std::string hint = {}) {
  throw InputError({.message = std::move(message),
                    .hint = std::move(hint),
                    .file = file,
                    .byte = byte,
                    .code = "bad-model"});
}

json parse_json(std::string_view text, const std::string& file) {
  try {
    return json::parse(text.begin(), text.end());
  } catch (const json::parse_error& error) {
    refuse(file, 8 + std::min(error.byte == 0 ? 0 : error.byte - 1, text.size()),
           "the header is not valid JSON; this is not a model file or it is damaged");
  } catch (const json::exception&) {
    refuse(file, 8, "the header is not valid JSON; this is not a model file or it is damaged");
  }
}

const std::string& metadata_string(const json& metadata, const char* key, const std::string& file) {
  const auto found = metadata.find(key);
  if (found == metadata.end() || !found->is_string())
    refuse(file, 8, fmt::format("the header has no metadata string {}", quote_text(key)));
  return found->get_ref<const std::string&>();
}

FormatVersion parse_version(const json& metadata, const std::string& file) {
  if (metadata_string(metadata, "format", file) != "lazylogit-model")
    refuse(file, 8, "this safetensors file is not a lazylogit model");
  const std::string& text = metadata_string(metadata, "format_version", file);
  const std::size_t point = text.find('.');
  const auto number = [&](std::string_view digits) {
    const bool plain = !digits.empty() && digits.size() <= 6 && (digits.size() == 1 || digits[0] != '0') &&
                       std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (!plain) refuse(file, 8, fmt::format("format version {} is not MAJOR.MINOR", quote_text(text)));
    int value = 0;
    for (const char c : digits) value = value * 10 + (c - '0');
    return value;
  };
  if (point == std::string::npos) number("");
  const std::string_view view = text;
  const FormatVersion version{number(view.substr(0, point)), number(view.substr(point + 1))};
  if (version.major > current_format.major)
    refuse(file, 8,
           fmt::format("the model has format version {}, this program reads up to {}.x", text,
                       current_format.major),
           fmt::format("use a lazylogit that writes format {}", version.major));
  if (version.major < 1) refuse(file, 8, fmt::format("there is no format version {}", quote_text(text)));
  return version;
}

std::uint64_t parse_total(const json& metadata, const std::string& file) {
  const std::string& text = metadata_string(metadata, "total_bytes", file);
  std::uint64_t total = 0;
  const bool plain = text.size() == 20 && text[0] == '0' &&
                     std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!plain) refuse(file, 8, fmt::format("total length {} is not 20 digits", quote_text(text)));
  for (const char c : text) total = total * 10 + static_cast<std::uint64_t>(c - '0');
  return total;
}

// Numbers of a JSON array; refuses everything but non-negative integers.
std::vector<std::uint64_t> parse_sizes(const json& tensor, const char* key, const std::string& name,
                                       const std::string& file) {
  const auto found = tensor.find(key);
  std::vector<std::uint64_t> sizes;
  bool good = found != tensor.end() && found->is_array() && found->size() <= 2;
  if (good)
    for (const json& item : *found) {
      good = good && item.is_number_unsigned();
      if (good) sizes.push_back(item.get<std::uint64_t>());
    }
  if (!good) refuse(file, 8, fmt::format("tensor {} has no proper \"{}\"", quote_text(name), key));
  return sizes;
}

Tensor parse_tensor(const std::string& name, const json& value, std::uint64_t data_start,
                    std::uint64_t data_bytes, const std::string& file) {
  if (!value.is_object() || value.size() != 3)
    refuse(file, 8,
           fmt::format("tensor {} does not consist of dtype, shape and data_offsets", quote_text(name)));
  const auto dtype = value.find("dtype");
  const TypeName* type = nullptr;
  if (dtype != value.end() && dtype->is_string())
    for (const TypeName& row : type_names)
      if (dtype->get_ref<const std::string&>() == row.name) type = &row;
  if (type == nullptr)
    refuse(file, 8, fmt::format("tensor {} has a dtype other than F64, I64, F32, U8", quote_text(name)));
  Tensor tensor;
  tensor.name = name;
  tensor.type = type->type;
  tensor.shape = parse_sizes(value, "shape", name, file);
  const auto offsets = parse_sizes(value, "data_offsets", name, file);
  if (offsets.size() != 2 || offsets[0] > offsets[1] || offsets[1] > data_bytes)
    refuse(file, 8, fmt::format("the offsets of tensor {} are not within the file", quote_text(name)));
  std::uint64_t bytes = type->item_bytes;
  for (const std::uint64_t extent : tensor.shape)
    if (__builtin_mul_overflow(bytes, extent, &bytes))
      refuse(file, 8, fmt::format("the shape of tensor {} is larger than any file", quote_text(name)));
  if (bytes != offsets[1] - offsets[0])
    refuse(file, 8,
           fmt::format("tensor {} has {} bytes where its shape needs {}", quote_text(name),
                       offsets[1] - offsets[0], bytes));
  tensor.byte_offset = data_start + offsets[0];
  return tensor;
}

// Canonical order in the file: larger items first, so that all of them are aligned, then by name.
std::vector<std::size_t> file_order(const std::vector<Tensor>& tensors) {
  std::vector<std::size_t> order(tensors.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const auto a_bytes = of_type(tensors[a].type).item_bytes, b_bytes = of_type(tensors[b].type).item_bytes;
    return a_bytes != b_bytes ? a_bytes > b_bytes : tensors[a].name < tensors[b].name;
  });
  return order;
}

std::string pad_header(std::string header) {
  header.append((8 - header.size() % 8) % 8, ' ');
  return header;
}

}  // namespace

std::uint64_t Tensor::num_bytes() const noexcept {
  std::uint64_t total = of_type(type).item_bytes;
  for (const std::uint64_t extent : shape) total *= extent;
  return total;
}

const Tensor* Container::find(std::string_view name) const noexcept {
  for (const Tensor& tensor : tensors)
    if (tensor.name == name) return &tensor;
  return nullptr;
}

namespace {

// XXH3-128 of a file that comes in pieces.
class Checksum {
 public:
  Checksum() : state_(XXH3_createState(), XXH3_freeState) {
    if (state_ == nullptr) throw std::bad_alloc();
    XXH3_128bits_reset(state_.get());
  }
  void add(std::string_view bytes) { XXH3_128bits_update(state_.get(), bytes.data(), bytes.size()); }
  std::string digits() const {
    const XXH128_hash_t hash = XXH3_128bits_digest(state_.get());
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
  }

 private:
  std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state_;
};

}  // namespace

std::string container_checksum(std::span<const char> bytes) {
  const std::size_t after = checksum_offset + checksum_digits;
  Checksum checksum;
  checksum.add({bytes.data(), checksum_offset});
  checksum.add(std::string(checksum_digits, '0'));
  checksum.add({bytes.data() + after, bytes.size() - after});
  return checksum.digits();
}

void fail_header_size(std::uint64_t bytes, const ContainerLimits& limits) {
  throw IoError("",
                fmt::format("the header of the model file would have {} bytes, more than the limit of {}",
                            bytes, limits.header_bytes),
                "--max-header-bytes raises it, here and wherever the model is used");
}

ContainerSink sink_of(OutputFile& file, const ContainerLimits& limits) {
  ContainerSink sink{[&file](std::string_view bytes) { file.write(bytes); }, nullptr, limits};
  if (!file.is_direct())
    sink.rewrite = [&file](std::uint64_t offset, std::string_view bytes) { file.rewrite(offset, bytes); };
  return sink;
}

void write_container(const std::map<std::string, std::string, std::less<>>& metadata,
                     const std::vector<StreamedTensor>& tensors, const ContainerSink& out) {
  json strings = metadata;
  strings["format"] = "lazylogit-model";
  strings["format_version"] = fmt::format("{}.{}", current_format.major, current_format.minor);
  strings["checksum"] = std::string(checksum_digits, '0');
  strings["total_bytes"] = std::string(20, '0');
  std::vector<Tensor> shapes;
  for (const StreamedTensor& tensor : tensors) {
    shapes.emplace_back();
    shapes.back().name = tensor.name;
    shapes.back().type = tensor.type;
    shapes.back().shape = tensor.shape;
  }
  const std::vector<std::size_t> order = file_order(shapes);
  json root = json::object();
  std::uint64_t at = 0;
  for (const std::size_t i : order) {
    const Tensor& tensor = shapes[i];
    root[tensor.name] = {{"dtype", of_type(tensor.type).name},
                         {"shape", tensor.shape},
                         {"data_offsets", {at, at + tensor.num_bytes()}}};
    at += tensor.num_bytes();
  }
  root["__metadata__"] = strings;
  const std::size_t header_bytes = pad_header(root.dump()).size();
  if (header_bytes > out.limits.header_bytes) fail_header_size(header_bytes, out.limits);
  root["__metadata__"]["total_bytes"] = fmt::format("{:020}", 8 + header_bytes + at);

  std::string head;
  const std::uint64_t length = header_bytes;
  head.append(reinterpret_cast<const char*>(&length), sizeof length);
  head += pad_header(root.dump());
  Checksum checksum;
  checksum.add(head);
  if (out.rewrite) out.write(head);
  const ByteSink add = [&](std::string_view bytes) {
    checksum.add(bytes);
    if (out.rewrite) out.write(bytes);
  };
  for (const std::size_t i : order) tensors[i].produce(add);
  if (out.rewrite) return out.rewrite(checksum_offset, checksum.digits());
  head.replace(checksum_offset, checksum_digits, checksum.digits());
  out.write(head);
  for (const std::size_t i : order) tensors[i].produce(out.write);
}

std::uint64_t header_length(std::span<const char> first_8_bytes, std::uint64_t file_bytes,
                            const std::string& file, const ContainerLimits& limits) {
  if (file_bytes == 0) refuse(file, 0, "the file is empty; expected a model");
  if (first_8_bytes.size() < 8)
    refuse(file, first_8_bytes.size(), "the file ends within its first 8 bytes; expected a model");
  std::uint64_t length = 0;
  std::memcpy(&length, first_8_bytes.data(), sizeof length);
  if (length > limits.header_bytes)
    refuse(
        file, 0,
        fmt::format("a header of {} bytes exceeds the limit of {}; this is not a model file or it is damaged",
                    length, limits.header_bytes),
        length > file_bytes ? "" : "--max-header-bytes raises the limit");
  if (length % 8 != 0 || length < header_start.size() + checksum_digits)
    refuse(file, 0, fmt::format("a header of {} bytes is not that of a model", length));
  if (length > file_bytes - 8)
    refuse(file, file_bytes, fmt::format("the file ends within its header of {} bytes", length));
  return length;
}

Container parse_header(std::span<const char> head, std::uint64_t file_bytes, const std::string& file) {
  const std::string_view text(head.data() + 8, head.size() - 8);
  if (text.empty() || text[0] != '{')
    refuse(file, 8, "the header does not begin with \"{\"; this is not a model file");
  // Ours have three levels and a few dozen entries: anything else is refused before it becomes a tree.
  if (const auto at = exceeds_bounds(text, {4, 4096}))
    refuse(file, 8 + *at, "the header is deeper or has more entries than a model's");
  const json root = parse_json(text, file);
  const auto metadata = root.find("__metadata__");
  if (metadata == root.end() || !metadata->is_object()) refuse(file, 8, "the header has no metadata");

  Container container;
  container.version = parse_version(*metadata, file);
  const std::string canonical = pad_header(root.dump());
  if (canonical != text) {
    const auto differ = std::mismatch(canonical.begin(), canonical.end(), text.begin(), text.end());
    refuse(file, 8 + static_cast<std::uint64_t>(differ.second - text.begin()),
           "the header is not in canonical form (sorted keys, no white space, each key once)");
  }
  if (text.substr(0, header_start.size()) != header_start)
    refuse(file, 8, "the metadata does not begin with the checksum");
  if (metadata_string(*metadata, "checksum", file).size() != checksum_digits)
    refuse(file, checksum_offset, fmt::format("the checksum does not have {} digits", checksum_digits));
  if (const std::uint64_t total = parse_total(*metadata, file); total != file_bytes)
    refuse(file, std::min(total, file_bytes),
           fmt::format("the file has {} bytes, its header says {}", file_bytes, total));

  for (const auto& [key, value] : metadata->items()) {
    if (!value.is_string()) refuse(file, 8, fmt::format("metadata {} is not a string", quote_text(key)));
    container.metadata[key] = value.get<std::string>();
  }
  for (const char* own : {"checksum", "format", "format_version", "total_bytes"})
    container.metadata.erase(own);

  const std::uint64_t data_start = head.size(), data_bytes = file_bytes - data_start;
  for (const auto& [name, value] : root.items())
    if (name != "__metadata__")
      container.tensors.push_back(parse_tensor(name, value, data_start, data_bytes, file));
  std::uint64_t at = data_start;
  for (const std::size_t i : file_order(container.tensors)) {
    const Tensor& tensor = container.tensors[i];
    if (tensor.byte_offset != at)
      refuse(file, tensor.byte_offset,
             fmt::format("tensor {} does not begin where the one before it ends, at byte {}",
                         quote_text(tensor.name), at));
    at += tensor.num_bytes();
  }
  if (at != file_bytes) refuse(file, at, fmt::format("{} bytes after the last tensor", file_bytes - at));
  return container;
}

void attach_bytes(Container& container, std::span<const char> bytes, const std::string& file) {
  const std::string_view stored(bytes.data() + checksum_offset, checksum_digits);
  if (const std::string computed = container_checksum(bytes); computed != stored)
    refuse(file, checksum_offset,
           fmt::format("the checksum is {}, the bytes give {}: the file is damaged", quote_text(stored),
                       computed));
  for (Tensor& tensor : container.tensors)
    tensor.bytes = {bytes.data() + tensor.byte_offset, tensor.num_bytes()};
}

Container read_container(std::span<const char> bytes, const std::string& file,
                         const ContainerLimits& limits) {
  const std::uint64_t length =
      header_length(bytes.first(std::min<std::size_t>(8, bytes.size())), bytes.size(), file, limits);
  Container container = parse_header(bytes.first(8 + length), bytes.size(), file);
  attach_bytes(container, bytes, file);
  return container;
}

}  // namespace lazylogit::model
