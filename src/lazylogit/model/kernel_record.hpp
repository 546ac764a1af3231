// data::KernelMap in a model file: a JSON document of its numbers, tensors of its names and rows.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lazylogit/data/input_spec.hpp"
#include "lazylogit/data/kernel_map.hpp"
#include "lazylogit/model/tensor_list.hpp"
#include "lazylogit/model/tensor_reader.hpp"

namespace lazylogit::model {

std::string write_kernel_record(const data::KernelMap& map);

// Adds the tensors; what had to be made for them lives here until the bytes are written.
class KernelTensors {
 public:
  KernelTensors(const data::KernelMap& map, TensorList& list);

 private:
  std::vector<std::uint64_t> features_;
};

// Null for a model without a kernel. Throws InputError for anything that would not be written.
std::shared_ptr<const data::KernelMap> read_kernel(const TensorReader& reader, const Shape& shape,
                                                   const data::InputSpec& input);

}  // namespace lazylogit::model
