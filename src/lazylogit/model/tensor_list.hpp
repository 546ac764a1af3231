// The tensors of a model file while it is put together.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lazylogit/data/alphabet.hpp"
#include "lazylogit/model/safetensors.hpp"

namespace lazylogit::model {

// What is added must live until the bytes are written.
class TensorList {
 public:
  void add(std::string name, std::span<const double> values, std::vector<std::uint64_t> extents) {
    add(std::move(name), TensorType::f64, {reinterpret_cast<const char*>(values.data()), values.size_bytes()},
        std::move(extents));
  }
  void add(std::string name, std::span<const std::uint64_t> values) {
    add(std::move(name), TensorType::i64, {reinterpret_cast<const char*>(values.data()), values.size_bytes()},
        {values.size()});
  }
  void add(std::string name, TensorType type, std::string_view bytes, std::vector<std::uint64_t> extents) {
    tensors_.push_back(
        {std::move(name), type, std::move(extents), [bytes](const ByteSink& sink) { sink(bytes); }});
  }
  // Of an array whose rows lie `stride` apart, the first extents[0] rows without their padding.
  void add_padded(std::string name, std::span<const double> padded, std::size_t stride,
                  const std::array<std::uint64_t, 2>& extents) {
    const auto [rows, width] = extents;
    if (stride == width) return add(std::move(name), padded.first(rows * width), {rows, width});
    tensors_.push_back({std::move(name),
                        TensorType::f64,
                        {rows, width},
                        [=, rows = rows, width = width](const ByteSink& sink) {
                          constexpr std::size_t most = 1024;
                          std::vector<double> some;
                          for (std::size_t row = 0; row < rows; ++row) {
                            some.insert(some.end(), padded.data() + row * stride,
                                        padded.data() + row * stride + width);
                            if ((row + 1) % most != 0 && row + 1 < rows) continue;
                            sink({reinterpret_cast<const char*>(some.data()), some.size() * sizeof(double)});
                            some.clear();
                          }
                        }});
  }
  void add_names(const std::string& what, const data::Alphabet& names) {
    add(what + "_names", TensorType::u8, {names.bytes().data(), names.bytes().size()},
        {names.bytes().size()});
    add(what + "_name_ends", names.ends().span());
  }
  const std::vector<StreamedTensor>& tensors() const noexcept { return tensors_; }

 private:
  std::vector<StreamedTensor> tensors_;
};

}  // namespace lazylogit::model
