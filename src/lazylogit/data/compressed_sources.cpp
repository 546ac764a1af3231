#include "lazylogit/data/compressed_sources.hpp"

#include <algorithm>

namespace lazylogit::data {
namespace {

template <class Index, class Value>
class CsrSource final : public RowSource {
 public:
  explicit CsrSource(const CompressedArrays<Index, Value>& x) : x_(x) {
    offsets_.resize(x.num_rows + 1);
    offsets_[0] = 0;
    std::size_t longest = 0;
    for (std::size_t r = 0; r < x.num_rows; ++r) {
      longest = std::max(longest, static_cast<std::size_t>(x.ends[r + 1] - x.ends[r]));
      std::uint64_t present = 0;
      for (Index k = x.ends[r]; k < x.ends[r + 1]; ++k) present += x.values[k] != 0 ? 1 : 0;
      offsets_[r + 1] = offsets_[r] + present;
    }
    constexpr std::size_t cached = 16'384, most_rows = 256;
    limit_pieces(cached, most_rows, longest);
  }

 private:
  void gather(Piece& piece, Worker&) const noexcept override {
    for (std::size_t r = piece.first; r < piece.last; ++r) {
      const std::size_t at = begin(piece, r), count = offsets_[r + 1] - offsets_[r];
      const Index from = x_.ends[r], to = x_.ends[r + 1];
      FeatureId* ids = piece.ids.data() + at;
      piece.id_places[r - piece.first] = ids;
      if (static_cast<std::size_t>(to - from) == count) {
        piece.value_places[r - piece.first] = x_.values + from;
        for (std::size_t k = 0; k < count; ++k)
          ids[k] = static_cast<FeatureId>(x_.places[from + static_cast<Index>(k)]);
        continue;
      }
      Value* values = reinterpret_cast<Value*>(piece.values.data()) + at;
      piece.value_places[r - piece.first] = values;
      for (Index k = from; k < to; ++k) {
        *ids = static_cast<FeatureId>(x_.places[k]);
        *values = x_.values[k];
        const int present = x_.values[k] != 0 ? 1 : 0;
        ids += present;
        values += present;
      }
      for (const FeatureId* end = piece.ids.data() + at + count; ids < end;)
        *ids++ = 0, *values++ = 0;  // zeros that are new
    }
  }

  CompressedArrays<Index, Value> x_;
};

}  // namespace

template <class Index, class Value>
SparseMatrix rows_over(const CompressedArrays<Index, Value>& rows) {
  return matrix_over<Value>(std::make_shared<CsrSource<Index, Value>>(rows), rows.num_columns);
}

#define LAZYLOGIT_COMPRESSED(Index, Value) \
  template SparseMatrix rows_over(const CompressedArrays<Index, Value>& rows);
LAZYLOGIT_COMPRESSED(std::int32_t, float)
LAZYLOGIT_COMPRESSED(std::int32_t, double)
LAZYLOGIT_COMPRESSED(std::int64_t, float)
LAZYLOGIT_COMPRESSED(std::int64_t, double)
#undef LAZYLOGIT_COMPRESSED

}  // namespace lazylogit::data
