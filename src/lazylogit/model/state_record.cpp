#include "lazylogit/model/state_record.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "lazylogit/base/error.hpp"
#include "lazylogit/model/sparse_form.hpp"

namespace lazylogit::model {

using nlohmann::json;

std::string write_state_record(const LearnerState& state) {
  json scalars = json::object();
  for (const auto& [name, value] : state.scalars) scalars[name] = value;
  return json{
      {"arrival", state.arrival}, {"learner", state.learner}, {"scalars", scalars}, {"width", state.width}}
      .dump();
}

namespace {

// Everything but rows and records.
LearnerState parse_state_record(std::string_view text, std::size_t num_classes, const JsonPlace& place) {
  const json document = parse_canonical_json(text, place);
  JsonFields fields(document, place);
  LearnerState state;
  state.learner = fields.string("learner");
  state.width = fields.count("width");
  if (state.width == 0 || state.width > (std::uint64_t{1} << 32)) refuse_json(place, "has no proper width");
  const json& arrival = fields.value("arrival");
  std::vector<bool> seen(num_classes);
  if (!arrival.is_array() || arrival.size() != num_classes) refuse_json(place, "does not name every class");
  for (const json& item : arrival) {
    if (!item.is_number_unsigned() || item.get<std::uint64_t>() >= num_classes ||
        seen[item.get<std::size_t>()])
      refuse_json(place, "does not name every class once");
    seen[item.get<std::size_t>()] = true;
    state.arrival.push_back(static_cast<ClassId>(item.get<std::size_t>()));
  }
  const json& scalars = fields.value("scalars");
  if (!scalars.is_object()) refuse_json(place, "has scalars that are not an object");
  for (const auto& [name, value] : scalars.items()) {
    if (!value.is_number() || !std::isfinite(value.get<double>()))
      refuse_json(place, fmt::format("has no proper number {}", quote_text(name)));
    state.scalars.emplace_back(name, value.get<double>());
  }
  fields.finish();
  return state;
}

[[noreturn]] void refuse(const JsonPlace& place, std::uint64_t byte, std::string message) {
  throw InputError({.message = std::move(message), .file = *place.file, .byte = byte, .code = "bad-model"});
}

void read_rows(const Tensor& tensor, std::uint64_t num_rows, const JsonPlace& place, LearnerState& state) {
  if (tensor.type != TensorType::i64 || tensor.shape.size() != 1)
    refuse(place, tensor.byte_offset, "tensor \"state_rows\" is not a list of numbers");
  state.rows.resize(tensor.shape[0]);
  if (!sparse_state_is_better(state.rows.size(), num_rows, state.width))
    refuse(place, tensor.byte_offset, "the state's rows should not be named");
  std::memcpy(state.rows.data(), tensor.bytes.data(), tensor.bytes.size());
  for (std::size_t i = 0; i < state.rows.size(); ++i)
    if (state.rows[i] >= num_rows || (i > 0 && state.rows[i] <= state.rows[i - 1]))
      refuse(place, tensor.byte_offset + 8 * i, "a row of the state is out of range or out of order");
}

}  // namespace

std::optional<LearnerState> read_state(const Container& container, const Shape& shape,
                                       const JsonPlace& place) {
  const auto found = container.metadata.find("state");
  const Tensor* const records = container.find("state_records");
  const Tensor* const rows = container.find("state_rows");
  if (found == container.metadata.end()) {
    for (const Tensor* tensor : {records, rows})
      if (tensor != nullptr)
        refuse(place, tensor->byte_offset,
               fmt::format("tensor \"{}\" without the metadata \"state\"", tensor->name));
    return std::nullopt;
  }
  LearnerState state = parse_state_record(found->second, shape.num_classes, place);
  const std::uint64_t num_rows = shape.num_features + 1;
  if (rows != nullptr) read_rows(*rows, num_rows, place, state);
  const std::uint64_t count = rows != nullptr ? state.rows.size() : num_rows;
  if (records == nullptr || records->type != TensorType::f64 ||
      records->shape != std::vector<std::uint64_t>{count, state.width})
    refuse(place, records == nullptr ? 8 : records->byte_offset,
           "tensor \"state_records\" does not have the type and shape that the state asks for");
  state.records.resize(records->num_bytes() / sizeof(double));
  std::memcpy(state.records.data(), records->bytes.data(), records->bytes.size());
  for (std::size_t i = 0; i < state.records.size(); ++i)
    if (!std::isfinite(state.records[i]))
      refuse(place, records->byte_offset + 8 * i, "the learner's state holds a number that is not finite");
  return state;
}

bool sparse_state_is_better(std::uint64_t num_present, std::uint64_t num_rows, std::uint64_t width) {
  return num_present > 0 && 2 * num_present < num_rows &&
         8 * num_rows * width <= max_expanded_bytes(8 * (width + 1) * num_present);
}

}  // namespace lazylogit::model
