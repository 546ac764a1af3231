// Rows of a sparse matrix as scipy.sparse.save_npz stores it: csr, csc and coo.
//
// All members are checked completely before the first row is given out: monotone pointers that begin with 0
// and end with the number of entries, indices in range, lengths that agree. csc and coo are put into row
// order first. A column that a row repeats is summed, as scipy does.
#pragma once

#include <string_view>

#include "lazylogit/io/formats/array_rows.hpp"

namespace lazylogit::io {

// One member of the archive: its bytes (a whole .npy file) and its place. Kept alive by SparseMembers' owner.
struct ArrayMember {
  std::string_view bytes;
  ArrayPlace place;
};

struct SparseMembers {
  ArrayMember shape, data;
  ArrayMember indices, indptr;  // csr and csc
  ArrayMember row, col;         // coo
  std::shared_ptr<void> keep_alive = nullptr;
};

enum class SparseLayout { csr, csc, coo };

std::unique_ptr<ArrayRows> make_sparse_rows(SparseLayout layout, SparseMembers members);

}  // namespace lazylogit::io
