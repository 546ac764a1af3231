// The tensors of a model file while it is put together.
#pragma once

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
    Tensor tensor;
    tensor.name = std::move(name);
    tensor.type = type;
    tensor.shape = std::move(extents);
    tensor.bytes = bytes;
    tensors_.push_back(std::move(tensor));
  }
  void add_names(const std::string& what, const data::Alphabet& names) {
    add(what + "_names", TensorType::u8, {names.bytes().data(), names.bytes().size()},
        {names.bytes().size()});
    add(what + "_name_ends", names.ends().span());
  }
  const std::vector<Tensor>& tensors() const noexcept { return tensors_; }

 private:
  std::vector<Tensor> tensors_;
};

}  // namespace lazylogit::model
