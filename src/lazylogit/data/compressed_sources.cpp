#include "lazylogit/data/compressed_sources.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "lazylogit/base/parallel.hpp"

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

template <class Index, class Value>
class CscSource final : public RowSource {
 public:
  explicit CscSource(const CompressedArrays<Index, Value>& x) : x_(x) {
    offsets_.resize(x.num_rows + 1);
    std::fill(offsets_.begin(), offsets_.end(), std::uint64_t{0});
    const auto entries = static_cast<std::size_t>(x.ends[x.num_columns]);
    for (std::size_t k = 0; k < entries; ++k) {
      const bool present = x.values[k] != 0;
      offsets_[static_cast<std::size_t>(x.places[k]) + 1] += present ? 1 : 0;
      has_zeros_ = has_zeros_ || !present;
    }
    for (std::size_t r = 0; r < x.num_rows; ++r) offsets_[r + 1] += offsets_[r];
    constexpr std::size_t cached = 16'384;
    limit_pieces(std::max(cached, share_of_entries(3)), x.num_rows, x.num_columns);
    make_stations(entries);
  }
  bool random_access() const noexcept override { return false; }

  std::optional<SparseMatrix> columns() const override {
    if (has_zeros_ || sizeof(Index) != sizeof(FeatureId)) return std::nullopt;
    SparseMatrix result;
    const auto entries = static_cast<std::size_t>(x_.ends[x_.num_columns]);
    result.num_features = x_.num_rows;
    result.row_offsets.resize(x_.num_columns + 1);
    std::copy_n(x_.ends, x_.num_columns + 1, result.row_offsets.data());
    // Not negative, so that signed and unsigned have the same bytes.
    result.ids = Buffer<FeatureId>::borrow(reinterpret_cast<const FeatureId*>(x_.places), entries);
    result.values = Buffer<Value>::borrow(x_.values, entries);
    return result;
  }

 private:
  static constexpr std::size_t block = 16;
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  struct Cursors final : Worker {
    std::size_t row = none;           // what the cursors are at
    Buffer<std::uint32_t> at;         // per column: entries that are behind
    Buffer<std::uint32_t> next;       // the row of the next one, or none; padded to whole blocks
    Buffer<std::size_t> free_places;  // per row of a piece: where its next entry goes
  };
  struct Station {
    std::size_t row;
    Buffer<std::uint32_t> at;
  };

  std::unique_ptr<Worker> make_worker() const override {
    auto worker = std::make_unique<Cursors>();
    worker->at.resize(x_.num_columns);
    worker->next = Buffer<std::uint32_t>(num_blocks_of(x_.num_columns, block) * block, none);
    worker->free_places.resize(most_rows());
    return worker;
  }

  // Where passes over shards begin (objective/shards.hpp cuts rows into sixteenths, an entry and a row counting alike),
  // or at some of these places where columns are many.
  void make_stations(std::size_t entries) {
    constexpr std::size_t parts = 16;
    const std::size_t room = entries * (sizeof(Index) + sizeof(Value)) / 32 /
                             (sizeof(std::uint32_t) * std::max<std::size_t>(1, x_.num_columns));
    const std::size_t step = room == 0 ? parts : num_blocks_of(parts, std::min(parts, room + 1));
    const std::size_t total = offsets_.back() + x_.num_rows;
    std::size_t row = 0;
    for (std::size_t s = step; s < parts; s += step) {
      while (row < x_.num_rows && offsets_[row] + row < total / parts * s) ++row;
      Station station{row, {}};
      station.at.resize(x_.num_columns);
      for (std::size_t c = 0; c < x_.num_columns; ++c) {
        const Index *from = x_.places + x_.ends[c], *to = x_.places + x_.ends[c + 1];
        station.at[c] =
            static_cast<std::uint32_t>(std::lower_bound(from, to, static_cast<Index>(row)) - from);
      }
      stations_.push_back(std::move(station));
    }
  }

  void seek(Cursors& cursors, std::size_t row) const noexcept {
    const Station* station = nullptr;
    for (const Station& candidate : stations_)
      if (candidate.row <= row) station = &candidate;
    const std::size_t known = station == nullptr ? 0 : station->row;
    if (cursors.row > row || cursors.row < known) {
      if (station == nullptr)
        std::fill(cursors.at.begin(), cursors.at.end(), 0U);
      else
        std::copy(station->at.begin(), station->at.end(), cursors.at.begin());
    }
    for (std::size_t c = 0; c < x_.num_columns; ++c) {
      const Index *places = x_.places + x_.ends[c], *to = x_.places + x_.ends[c + 1];
      const Index* from = places + cursors.at[c];
      if (from < to && *from < static_cast<Index>(row))
        from = std::lower_bound(from, to, static_cast<Index>(row));
      cursors.at[c] = static_cast<std::uint32_t>(from - places);
      cursors.next[c] = from < to ? static_cast<std::uint32_t>(*from) : none;
    }
    cursors.row = row;
  }

  void gather(Piece& piece, Worker& worker) const noexcept override {
    auto& cursors = static_cast<Cursors&>(worker);
    if (cursors.row != piece.first) seek(cursors, piece.first);
    const std::size_t count = piece.last - piece.first;
    auto* values = reinterpret_cast<Value*>(piece.values.data());
    std::size_t* to = cursors.free_places.data();
    for (std::size_t r = 0; r < count; ++r) {
      to[r] = begin(piece, piece.first + r);
      piece.id_places[r] = piece.ids.data() + to[r];
      piece.value_places[r] = values + to[r];
    }
    const auto last = static_cast<std::uint32_t>(piece.last);
    const std::uint32_t* next = cursors.next.data();
    for (std::size_t c = 0; c < x_.num_columns; c += block) {
      std::uint32_t any = 0;
      for (std::size_t i = 0; i < block; ++i) any |= next[c + i] < last ? 1U : 0U;
      if (any == 0) continue;
      for (std::size_t i = c; i < std::min(c + block, x_.num_columns); ++i)
        if (next[i] < last) take_column(piece, cursors, i, values);
    }
    for (std::size_t r = 0; r < count; ++r)
      for (const std::size_t end = begin(piece, piece.first + r + 1) - 1; to[r] < end; ++to[r])
        piece.ids[to[r]] = 0, values[to[r]] = 0;  // zeros that are new
    cursors.row = piece.last;
  }

  void take_column(Piece& piece, Cursors& cursors, std::size_t c, Value* values) const noexcept {
    const Index end = x_.ends[c + 1];
    Index k = x_.ends[c] + static_cast<Index>(cursors.at[c]);
    std::size_t* to = cursors.free_places.data();
    for (; k < end && static_cast<std::size_t>(x_.places[k]) < piece.last; ++k) {
      const std::size_t r = static_cast<std::size_t>(x_.places[k]) - piece.first;
      piece.ids[to[r]] = static_cast<FeatureId>(c);
      values[to[r]] = x_.values[k];
      to[r] += x_.values[k] != 0 ? 1 : 0;
    }
    cursors.at[c] = static_cast<std::uint32_t>(k - x_.ends[c]);
    cursors.next[c] = k < end ? static_cast<std::uint32_t>(x_.places[k]) : none;
  }

  CompressedArrays<Index, Value> x_;
  bool has_zeros_ = false;
  std::vector<Station> stations_;
};

}  // namespace

template <class Index, class Value>
SparseMatrix rows_over(const CompressedArrays<Index, Value>& rows) {
  return matrix_over<Value>(std::make_shared<CsrSource<Index, Value>>(rows), rows.num_columns);
}

template <class Index, class Value>
SparseMatrix columns_over(const CompressedArrays<Index, Value>& columns) {
  return matrix_over<Value>(std::make_shared<CscSource<Index, Value>>(columns), columns.num_columns);
}

#define LAZYLOGIT_COMPRESSED(Index, Value)                                     \
  template SparseMatrix rows_over(const CompressedArrays<Index, Value>& rows); \
  template SparseMatrix columns_over(const CompressedArrays<Index, Value>& columns);
LAZYLOGIT_COMPRESSED(std::int32_t, float)
LAZYLOGIT_COMPRESSED(std::int32_t, double)
LAZYLOGIT_COMPRESSED(std::int64_t, float)
LAZYLOGIT_COMPRESSED(std::int64_t, double)
#undef LAZYLOGIT_COMPRESSED

}  // namespace lazylogit::data
