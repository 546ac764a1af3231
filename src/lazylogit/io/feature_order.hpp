// From the ids that readers collected to the final columns: presence, --min-count, ascending ids in a row.
#pragma once

#include <cstdint>

#include "lazylogit/data/alphabet.hpp"
#include "lazylogit/data/sparse_matrix.hpp"

namespace lazylogit::io {

// Ids are indices minus the base: columns become the indices that occur in at least `min_count` rows, in
// ascending order, named by their decimal text. Memory: a fifth of a byte per possible index while the largest is below
// 2^20 or 16 times the entries, else a hash map of those that occur.
void number_indices(data::SparseMatrix& x, data::Alphabet& names, int index_base, std::uint64_t min_count);

// Ids are names by first appearance: drops those in fewer than `min_count` rows, closes the gaps, sorts rows.
void number_names(data::SparseMatrix& x, data::Alphabet& names, std::uint64_t min_count);

// Ids are slots of --hash-bits: columns become the slots that occur in at least `min_count` rows, in ascending
// order, named by slot_name().
void number_hashed(data::SparseMatrix& x, data::Alphabet& names, std::uint64_t min_count);

}  // namespace lazylogit::io
