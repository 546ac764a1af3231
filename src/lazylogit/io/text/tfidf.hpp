// tf-idf: a count c of a feature becomes c × idf, idf = ln((1 + n) / (1 + df)) + 1, where n is the number of
// rows and df the number of rows that hold the feature; then the text features of the row (of one text
// column, where there are several) are scaled to Euclidean length 1. A row without text features stays as it
// is.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lazylogit/data/sparse_matrix.hpp"

namespace lazylogit::io {

double inverse_document_frequency(std::uint64_t num_rows, std::uint64_t document_frequency) noexcept;

// Multiplies by idf and scales to length 1. `values[k]` belongs to feature `ids[k]`.
template <class Value>
void apply_tfidf(std::span<const FeatureId> ids, std::span<Value> values,
                 const std::vector<double>& idf) noexcept;

// Counts in x become tf-idf values, over all features. x gets stored values (double if `store_double`) if it
// had none.
void apply_tfidf_to_rows(data::SparseMatrix& x, const std::vector<double>& idf, bool store_double);

// Learns the idf of each feature from the counts in x and applies them.
std::vector<double> learn_tfidf(data::SparseMatrix& x, bool store_double);

}  // namespace lazylogit::io
