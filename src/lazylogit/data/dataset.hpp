// Examples in memory: what readers make and objectives, predictors and tests take.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lazylogit/base/buffer.hpp"
#include "lazylogit/base/types.hpp"
#include "lazylogit/data/alphabet.hpp"
#include "lazylogit/data/class_table.hpp"
#include "lazylogit/data/input_spec.hpp"
#include "lazylogit/data/label_sets.hpp"
#include "lazylogit/data/sparse_matrix.hpp"

namespace lazylogit::data {

struct KernelMap;  // kernel_map.hpp

inline constexpr std::size_t max_unknown_labels = 1000;  // that rows list

// A stretch of rows without names: the unit of streaming (prediction) and the row part of a Dataset.
// Optional columns are either empty or hold one entry per row.
struct Rows {
  SparseMatrix x;
  // The label of each row, as InputSpec::response says; of the three columns the other two are empty.
  Buffer<ClassId> labels;  // classes: unknown_class where the label is absent or not in the class table
  Buffer<double> targets;  // number: NaN where the label is absent
  LabelSets label_sets;    // labels: those in the class table
  Buffer<double> weights;  // empty: every weight is 1. `--weight` times `--count`; class weights come later
  Buffer<double> offsets;  // empty: none. Added to the score of the second of two classes, or to the number
  std::vector<std::string> ids;  // `--id`, as written
  Buffer<std::uint64_t>
      choice_ends;  // rows that are candidates of choices: where each choice ends; else empty
  std::vector<std::string>
      unknown_labels;  // distinct canonical labels outside a fixed class table, at most max_unknown_labels;
                       // of a stream: all labels that these rows are the first to have, in order
  std::size_t num_rows() const noexcept { return x.num_rows(); }
};

// Training data with the names that were learned from it.
struct Dataset : Rows {
  Alphabet features;  // one name per column of x; empty when hashed
  ClassTable classes;
  InputSpec input;
  std::vector<double> idf;  // tf-idf factor per feature; empty without tf-idf (features outside text have 1)
  std::shared_ptr<const KernelMap> kernel;  // what the rows were mapped by already; null: they are as read
};

}  // namespace lazylogit::data
