// The columns of a wide table (input_record.hpp) as tensors of a model file: a million of them are read and written as they
// lie, where a JSON document of as many objects would exceed the header's limit.
//
// | tensor                                         | type, shape        |                                                |
// |------------------------------------------------|--------------------|------------------------------------------------|
// | column_names, column_name_ends                 | U8, I64 [columns]  | in file order                                  |
// | column_kinds                                   | U8 [columns]       | type + 4 · has indicator + 8 · drops a category |
// | column_means                                   | F64 [columns]      | what stands for missing numbers                |
// | column_word_names, column_word_name_ends       | U8, I64 [3 · columns] | value of the indicator (empty: missing), most frequent
// |                                                |                    | and dropped category of each; absent: all empty |
// | ignored_names, ignored_name_ends               | U8, I64 [ignored]  |                                                |
#pragma once

#include <vector>

#include "lazylogit/data/input_spec.hpp"
#include "lazylogit/model/input_record.hpp"
#include "lazylogit/model/tensor_list.hpp"
#include "lazylogit/model/tensor_reader.hpp"

namespace lazylogit::model {

// What the tensors are made of, until the bytes are written.
class ColumnTensors {
 public:
  ColumnTensors(const data::InputSpec& input, TensorList& list);
  ColumnTensors(const ColumnTensors&) = delete;
  ColumnTensors& operator=(const ColumnTensors&) = delete;

 private:
  data::Alphabet names_, words_, ignored_;
  std::vector<char> kinds_;
  std::vector<double> means_;
};

void read_columns(const TensorReader& tensors, const WideTable& wide, data::InputSpec& input);

}  // namespace lazylogit::model
