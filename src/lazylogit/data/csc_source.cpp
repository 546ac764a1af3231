// columns_over of compressed_sources.hpp.
#include <algorithm>
#include <limits>
#include <vector>

#include "lazylogit/base/parallel.hpp"
#include "lazylogit/data/compressed_sources.hpp"
#include "lazylogit/math/target_clones.hpp"

namespace lazylogit::data {
namespace {

constexpr std::size_t block = 16;

// The first block of [from, to) with a place in [first, first + count), or `to`.
template <class Place>
[[gnu::always_inline]] inline std::size_t find_block(const Place* places, std::size_t from, std::size_t to,
                                                     Place first, Place count) noexcept {
  for (; from + block <= to; from += block) {
    Place any = 0;
    for (std::size_t i = 0; i < block; ++i)
      any |= static_cast<Place>(static_cast<Place>(places[from + i] - first) < count ? 1 : 0);
    if (any != 0) return from;
  }
  return from;  // the rest is less than a block
}
LAZYLOGIT_TARGET_CLONES std::size_t next_block(const std::int32_t* places, std::size_t from, std::size_t to,
                                               std::size_t first, std::size_t count) noexcept {
  return find_block(reinterpret_cast<const std::uint32_t*>(places), from, to,
                    static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(count));
}
LAZYLOGIT_TARGET_CLONES std::size_t next_block(const std::int64_t* places, std::size_t from, std::size_t to,
                                               std::size_t first, std::size_t count) noexcept {
  return find_block(reinterpret_cast<const std::uint64_t*>(places), from, to,
                    static_cast<std::uint64_t>(first), static_cast<std::uint64_t>(count));
}

template <class Index, class Value>
class CscSource final : public RowSource {
 public:
  explicit CscSource(const CompressedArrays<Index, Value>& x) : x_(x) {
    offsets_.resize(x.num_rows + 1);
    std::fill(offsets_.begin(), offsets_.end(), std::uint64_t{0});
    const auto entries = static_cast<std::size_t>(x.ends[x.num_columns]);
    for (std::size_t k = 0; k < entries; ++k)
      offsets_[static_cast<std::size_t>(x.places[k]) + 1] += x.values[k] != 0 ? 1 : 0;
    for (std::size_t r = 0; r < x.num_rows; ++r) offsets_[r + 1] += offsets_[r];
    const std::size_t zeros = entries - offsets_.back();
    has_zeros_ = zeros > 0;
    constexpr std::size_t cached = 16'384, share = 25, least_rows = 1024;
    const std::size_t pieces = 2 * allowed_cpus();
    limit_pieces(std::max(cached, entries / share / pieces),
                 std::max(least_rows, x.num_rows / share / pieces), std::min(x.num_columns, zeros));
    find_long_columns();
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
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  static constexpr std::size_t entry_bytes = sizeof(Index) + sizeof(Value);
  struct Cursors final : Worker {
    std::size_t row = none;           // what the cursors are at
    Buffer<std::uint32_t> at;         // per long column: entries that are behind
    Buffer<std::uint32_t> next;       // the row of the next one, or none; padded to whole blocks
    Buffer<std::size_t> free_places;  // per row of a piece: where its next entry goes
  };
  struct Station {
    std::size_t row;
    Buffer<std::uint32_t> at;
  };

  std::unique_ptr<Worker> make_worker() const override {
    auto worker = std::make_unique<Cursors>();
    worker->at.resize(long_.size());
    worker->next = Buffer<std::uint32_t>(num_blocks_of(long_.size(), block) * block, none);
    worker->free_places.resize(most_rows());
    return worker;
  }

  // Those whose cursors, of every thread, take a fiftieth of them or less.
  void find_long_columns() {
    constexpr std::size_t cursor_bytes = 2 * sizeof(std::uint32_t), share = 50;
    const std::size_t least = share * cursor_bytes * (allowed_cpus() + 1) / entry_bytes;
    for (std::size_t c = 0; c < x_.num_columns; ++c)
      if (static_cast<std::size_t>(x_.ends[c + 1] - x_.ends[c]) >= least)
        long_.push_back(static_cast<FeatureId>(c));
  }

  // Where passes over shards begin (objective/shards.hpp cuts rows into sixteenths, an entry and a row counting alike),
  // or at some of these places where long columns are many.
  void make_stations(std::size_t entries) {
    constexpr std::size_t parts = 16, share = 50;
    const std::size_t room =
        entries * entry_bytes / share / (sizeof(std::uint32_t) * std::max<std::size_t>(1, long_.size()));
    const std::size_t step = room == 0 ? parts : num_blocks_of(parts, std::min(parts, room + 1));
    const std::size_t total = offsets_.back() + x_.num_rows;
    std::size_t row = 0;
    for (std::size_t s = step; s < parts; s += step) {
      while (row < x_.num_rows && offsets_[row] + row < total / parts * s) ++row;
      Station station{row, {}};
      station.at.resize(long_.size());
      for (std::size_t i = 0; i < long_.size(); ++i) {
        const Index *from = places_of(i), *to = x_.places + x_.ends[long_[i] + 1];
        station.at[i] =
            static_cast<std::uint32_t>(std::lower_bound(from, to, static_cast<Index>(row)) - from);
      }
      stations_.push_back(std::move(station));
    }
  }
  const Index* places_of(std::size_t i) const noexcept { return x_.places + x_.ends[long_[i]]; }

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
    for (std::size_t i = 0; i < long_.size(); ++i) {
      const Index *places = places_of(i), *to = x_.places + x_.ends[long_[i] + 1];
      const Index* from = places + cursors.at[i];
      if (from < to && *from < static_cast<Index>(row))
        from = std::lower_bound(from, to, static_cast<Index>(row));
      cursors.at[i] = static_cast<std::uint32_t>(from - places);
      cursors.next[i] = from < to ? static_cast<std::uint32_t>(*from) : none;
    }
    cursors.row = row;
  }

  // Where the rows of a piece are written: each from at[row] on.
  struct Target {
    std::size_t first, last;
    FeatureId* ids;
    Value* values;
    std::size_t* at;
    void put(std::size_t row, std::size_t column, Value value) const noexcept {
      std::size_t& to = at[row - first];
      ids[to] = static_cast<FeatureId>(column);
      values[to] = value;
      to += value != 0 ? 1 : 0;
    }
  };

  void gather(Piece& piece, Worker& worker) const noexcept override {
    auto& cursors = static_cast<Cursors&>(worker);
    if (cursors.row != piece.first) seek(cursors, piece.first);
    const std::size_t count = piece.last - piece.first;
    auto* values = reinterpret_cast<Value*>(piece.values.data());
    std::size_t* at = cursors.free_places.data();
    for (std::size_t r = 0; r < count; ++r) {
      at[r] = begin(piece, piece.first + r);
      piece.id_places[r] = piece.ids.data() + at[r];
      piece.value_places[r] = values + at[r];
    }
    const Target to{piece.first, piece.last, piece.ids.data(), values, at};
    // Short and long columns in turn, so that ids ascend.
    std::size_t column = 0;
    for (std::size_t i = 0; i < long_.size();) {
      if (column < long_[i]) take_short(column, long_[i], to);
      std::size_t end = i + 1;
      while (end < long_.size() && long_[end] == long_[end - 1] + 1) ++end;
      take_long(i, end, cursors, to);
      column = std::size_t{long_[end - 1]} + 1;
      i = end;
    }
    if (column < x_.num_columns) take_short(column, x_.num_columns, to);
    for (std::size_t r = 0; r < count; ++r)
      for (const std::size_t end = begin(piece, piece.first + r + 1) - 1; at[r] < end; ++at[r])
        piece.ids[at[r]] = 0, values[at[r]] = 0;  // zeros that are new
    cursors.row = piece.last;
  }

  // The columns [column, end), by a look at each of their places.
  void take_short(std::size_t column, std::size_t end, const Target& to) const noexcept {
    const auto last = static_cast<std::size_t>(x_.ends[end]);
    const std::size_t count = to.last - to.first;
    for (auto k = static_cast<std::size_t>(x_.ends[column]); k < last;) {
      k = next_block(x_.places, k, last, to.first, count);
      for (const std::size_t stop = std::min(k + block, last); k < stop; ++k) {
        const auto row = static_cast<std::size_t>(x_.places[k]);
        if (row - to.first >= count) continue;
        while (static_cast<std::size_t>(x_.ends[column + 1]) <= k) ++column;
        to.put(row, column, x_.values[k]);
      }
    }
  }

  // The long columns [i, end), by their cursors.
  void take_long(std::size_t i, std::size_t end, Cursors& cursors, const Target& to) const noexcept {
    const auto last = static_cast<std::uint32_t>(to.last);
    const std::uint32_t* next = cursors.next.data();
    for (std::size_t stop = 0; i < end; i = stop) {
      stop = std::min(i + block, end);
      std::uint32_t any = 0;
      for (std::size_t j = i; j < stop; ++j) any |= next[j] < last ? 1U : 0U;
      if (any == 0) continue;
      for (std::size_t j = i; j < stop; ++j)
        if (next[j] < last) take_column(j, cursors, to);
    }
  }

  void take_column(std::size_t i, Cursors& cursors, const Target& to) const noexcept {
    const std::size_t c = long_[i];
    const Index end = x_.ends[c + 1];
    Index k = x_.ends[c] + static_cast<Index>(cursors.at[i]);
    for (; k < end && static_cast<std::size_t>(x_.places[k]) < to.last; ++k)
      to.put(static_cast<std::size_t>(x_.places[k]), c, x_.values[k]);
    cursors.at[i] = static_cast<std::uint32_t>(k - x_.ends[c]);
    cursors.next[i] = k < end ? static_cast<std::uint32_t>(x_.places[k]) : none;
  }

  CompressedArrays<Index, Value> x_;
  bool has_zeros_ = false;
  Buffer<FeatureId> long_;  // columns that have a cursor
  std::vector<Station> stations_;
};

}  // namespace

template <class Index, class Value>
SparseMatrix columns_over(const CompressedArrays<Index, Value>& columns) {
  return matrix_over<Value>(std::make_shared<CscSource<Index, Value>>(columns), columns.num_columns);
}

template SparseMatrix columns_over(const CompressedArrays<std::int32_t, float>&);
template SparseMatrix columns_over(const CompressedArrays<std::int32_t, double>&);
template SparseMatrix columns_over(const CompressedArrays<std::int64_t, float>&);
template SparseMatrix columns_over(const CompressedArrays<std::int64_t, double>&);

}  // namespace lazylogit::data
