// The model loader: bytes as they are, and with length and checksum made to fit, so that mutations get past
// them. What is accepted must be usable and survive load, save, load unchanged.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "lazylogit/base/error.hpp"
#include "lazylogit/model/describe.hpp"
#include "lazylogit/model/explain.hpp"
#include "lazylogit/model/model_file.hpp"
#include "lazylogit/model/predictor.hpp"

namespace {

using namespace lazylogit;

void use(const model::Model& model) {
  std::size_t length = 0;
  const auto sink = [&](std::string_view text) { length += text.size(); };
  model::write_model_json(model, sink);
  model::write_coefficients_csv(model, sink);
  length += model::describe_model(model, 3).size();
  data::Rows rows;
  rows.x.num_features = model.shape.num_features;
  if (rows.x.num_features > 0) rows.x.ids.push_back(0);
  rows.x.row_offsets.push_back(rows.x.ids.size());
  model::Predictions predictions;
  model::Predictor(model).predict(rows, model::Predictor::Detail::probabilities, predictions);
  length += model::describe(model::explain_row(model, rows, 0, 3), model).size();
  if (length == 0) std::abort();
}

void load(const std::string& bytes) {
  try {
    const model::Model model = model::deserialize(bytes, "fuzz");
    // A small file may describe more coefficients than are worth printing for each input.
    if (model.shape.size() < 4096) use(model);
    const std::string saved = model::serialize(model);
    if (model::serialize(model::deserialize(saved, "saved")) != saved) std::abort();
  } catch (const InputError&) {
    return;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string bytes(reinterpret_cast<const char*>(data), size);
  load(bytes);
  if (size < model::checksum_offset + model::checksum_digits) return 0;
  constexpr std::size_t padding_unit = 8;
  const std::size_t header_end = bytes.find("}}", model::checksum_offset);
  if (header_end != std::string::npos) {  // make the header's length fit what was inserted or removed
    std::uint64_t length = 0;
    std::memcpy(&length, bytes.data(), sizeof length);
    const std::size_t text = bytes.rfind("}}") == std::string::npos ? 0 : bytes.rfind("}}") + 2 - 8;
    const std::uint64_t fitting = (text + padding_unit - 1) / padding_unit * padding_unit;
    if (length + 64 > fitting && length < fitting + 64) std::memcpy(bytes.data(), &fitting, sizeof fitting);
  }
  if (const std::size_t at = bytes.find("\"total_bytes\":\"");
      at != std::string::npos && at + 35 <= bytes.size()) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%020zu", bytes.size());
    bytes.replace(at + 15, 20, digits);
  }
  bytes.replace(model::checksum_offset, model::checksum_digits, model::container_checksum(bytes));
  load(bytes);
  return 0;
}
