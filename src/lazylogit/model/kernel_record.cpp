#include "lazylogit/model/kernel_record.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

namespace lazylogit::model {
namespace {

using nlohmann::json;

constexpr std::array tensors{"kernel_input_names", "kernel_input_name_ends", "kernel_scale",
                             "kernel_center",      "kernel_row_offsets",     "kernel_row_features",
                             "kernel_row_values",  "kernel_row_numbers"};
constexpr std::uint64_t max_degree = 100, max_inputs = std::uint64_t{1} << 32;

std::vector<std::uint64_t> integers(const TensorReader& reader, const char* name, std::uint64_t count) {
  const Tensor& tensor = reader.require(name, TensorType::i64, {count});
  std::vector<std::uint64_t> numbers(count);
  if (count > 0) std::memcpy(numbers.data(), tensor.bytes.data(), tensor.bytes.size());
  return numbers;
}

// A number per input, or none at all.
std::vector<double> per_input(const TensorReader& reader, const char* name, std::uint64_t inputs,
                              bool positive) {
  const Tensor* const tensor = reader.find(name);
  if (tensor == nullptr) return {};
  std::vector<double> numbers(reader.require(name, TensorType::f64, {inputs}).num_bytes() / sizeof(double));
  reader.copy_numbers(*tensor, numbers.data(), Finite::required);
  for (const double number : numbers)
    if (positive && !(number > 0))
      reader.refuse(tensor->byte_offset,
                    fmt::format("tensor \"{}\" holds a number that is not positive", name));
  return numbers;
}

void read_rows(const TensorReader& reader, std::uint64_t rows, data::KernelMap& map) {
  const std::vector<std::uint64_t> offsets = integers(reader, "kernel_row_offsets", rows + 1);
  const std::uint64_t place = reader.find("kernel_row_offsets")->byte_offset;
  if (offsets.front() != 0) reader.refuse(place, "the kernel's rows do not begin at 0");
  for (std::size_t m = 0; m < rows; ++m)
    if (offsets[m + 1] < offsets[m])
      reader.refuse(place, fmt::format("row {} of the kernel ends before it begins", m));
  const std::uint64_t count = offsets.back();
  const std::vector<std::uint64_t> features = integers(reader, "kernel_row_features", count);
  const Tensor& tensor = reader.require("kernel_row_values", TensorType::f64, {count});
  Buffer<double> values;
  values.resize(count);
  reader.copy_numbers(tensor, values.data(), Finite::required);
  map.kept.num_features = map.num_inputs;
  map.kept.row_offsets.clear();
  map.kept.row_offsets.append(offsets);
  map.kept.ids.resize(count);
  for (std::size_t m = 0; m < rows; ++m)
    for (std::uint64_t e = offsets[m]; e < offsets[m + 1]; ++e) {
      if (features[e] >= map.num_inputs || (e > offsets[m] && features[e] <= features[e - 1]))
        reader.refuse(
            reader.find("kernel_row_features")->byte_offset + 8 * e,
            fmt::format("feature {} of a kernel's row is out of range or out of order", features[e]));
      if (values[e] == 0) reader.refuse(tensor.byte_offset + 8 * e, "a kernel's row holds a zero");
      map.kept.ids[e] = static_cast<FeatureId>(features[e]);
    }
  map.kept.values = std::move(values);
  map.kept_numbers = integers(reader, "kernel_row_numbers", rows);
}

}  // namespace

std::string write_kernel_record(const data::KernelMap& map) {
  return json{{"family", data::kernel_name(map.kernel.family)},
              {"form", map.form == data::KernelForm::rows ? "rows" : "fourier"},
              {"degree", map.kernel.degree},
              {"width", map.kernel.width},
              {"num_inputs", map.num_inputs},
              {"prior_of_function", map.prior_of_function},
              {"seed", map.seed}}
      .dump();
}

KernelTensors::KernelTensors(const data::KernelMap& map, TensorList& list) {
  if (!map.inputs.empty()) list.add_names("kernel_input", map.inputs);
  if (!map.scale.empty()) list.add("kernel_scale", map.scale, {map.scale.size()});
  if (!map.center.empty()) list.add("kernel_center", map.center, {map.center.size()});
  if (map.form == data::KernelForm::fourier) return;
  features_.assign(map.kept.ids.begin(), map.kept.ids.end());
  list.add("kernel_row_offsets", map.kept.row_offsets.span());
  list.add("kernel_row_features", features_);
  const auto& values = std::get<Buffer<double>>(map.kept.values);
  list.add("kernel_row_values", values.span(), {values.size()});
  list.add("kernel_row_numbers", map.kept_numbers);
}

std::shared_ptr<const data::KernelMap> read_kernel(const TensorReader& reader, const Shape& shape,
                                                   const data::InputSpec& input) {
  const auto found = reader.container().metadata.find("kernel");
  if (found == reader.container().metadata.end()) {
    for (const char* name : tensors)
      if (const Tensor* tensor = reader.find(name))
        reader.refuse(tensor->byte_offset,
                      fmt::format("tensor \"{}\" belongs to a kernel, of which nothing is said", name));
    return nullptr;
  }
  const JsonPlace where = reader.place("kernel");
  const json document = parse_canonical_json(found->second, where);
  JsonFields fields(document, where);
  auto map = std::make_shared<data::KernelMap>();
  const std::string family = fields.string("family"), form = fields.string("form");
  bool known = form == "rows" || form == "fourier";
  bool named = false;
  for (const data::KernelFamily candidate : data::kernel_families)
    if (family == data::kernel_name(candidate)) map->kernel.family = candidate, named = true;
  if (!known || !named) refuse_json(where, "has an unknown family or form");
  map->form = form == "rows" ? data::KernelForm::rows : data::KernelForm::fourier;
  const std::uint64_t degree = fields.count("degree");
  map->kernel.width = fields.number("width");
  map->num_inputs = fields.count("num_inputs");
  map->prior_of_function = fields.flag("prior_of_function");
  map->seed = fields.count("seed");
  fields.finish();
  if (degree < 1 || degree > max_degree) refuse_json(where, fmt::format("has the degree {}", degree));
  map->kernel.degree = static_cast<int>(degree);
  if (!(map->kernel.width > 0) || !std::isfinite(map->kernel.width))
    refuse_json(where, "has a width that is not positive");
  if (map->num_inputs >= max_inputs) refuse_json(where, fmt::format("has {} inputs", map->num_inputs));
  if (reader.find("kernel_input_names") != nullptr || !input.hash_bits) {
    map->inputs = reader.name_table("kernel_input", map->num_inputs);
    if (input.hash_bits) reader.check_slots("kernel_input", map->inputs, *input.hash_bits);
  } else if (map->num_inputs != std::uint64_t{1} << *input.hash_bits) {
    refuse_json(where,
                fmt::format("has {} inputs, not those of {} hash bits", map->num_inputs, *input.hash_bits));
  }
  map->scale = per_input(reader, "kernel_scale", map->num_inputs, true);
  map->center = per_input(reader, "kernel_center", map->num_inputs, false);
  if (map->form == data::KernelForm::rows) {
    read_rows(reader, shape.num_features, *map);
  } else {
    map->waves = shape.num_features;
    const bool large = map->num_inputs > 0 && map->waves > data::max_frequencies / map->num_inputs;
    if (large || map->prior_of_function || map->kernel.family != data::KernelFamily::gaussian)
      refuse_json(where, "has random waves that no kernel has");
  }
  return map;
}

}  // namespace lazylogit::model
