#include "lazylogit/data/dense_source.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "lazylogit/base/parallel.hpp"
#include "lazylogit/data/dense_cells.hpp"

namespace lazylogit::data {
namespace {

template <class Value>
class DenseSource final : public RowSource {
 public:
  DenseSource(std::vector<DenseBatch> batches, std::size_t num_columns)
      : batches_(std::move(batches)), width_(num_columns), all_ids_(num_columns) {
    std::iota(all_ids_.begin(), all_ids_.end(), FeatureId{0});
    std::size_t rows = 0;
    for (const DenseBatch& batch : batches_) {
      first_rows_.push_back(rows);
      rows_apart_.push_back(lies_in_rows(batch));
      own_type_.push_back(std::all_of(batch.columns.begin(), batch.columns.end(),
                                      [](const DenseColumn& column) { return column.type == own; }));
      rows += batch.num_rows;
    }
    offsets_.resize(rows + 1);
    offsets_[0] = 0;
    for (std::size_t b = 0; b < batches_.size(); ++b) count(b);
    for (std::size_t r = 0; r < rows; ++r) offsets_[r + 1] += offsets_[r];
    // Within the second-level cache, unless that is too few rows for columns that lie apart.
    constexpr std::size_t cached = 24'576, least_rows = 8;
    limit_pieces(std::max(cached, std::min(least_rows * width_, share_of_entries(3))), most_rows, width_);
  }
  double not_finite() const noexcept { return not_finite_; }

 private:
  static constexpr CellType own = sizeof(Value) == 4 ? CellType::f32 : CellType::f64;
  static constexpr std::size_t most_rows = 256;
  struct DenseWorker final : Worker {
    std::array<std::size_t, most_rows> at;  // where the next entry of each row goes
  };
  std::unique_ptr<Worker> make_worker() const override { return std::make_unique<DenseWorker>(); }

  // Values of the source's own type, side by side within rows.
  static bool lies_in_rows(const DenseBatch& batch) {
    if (batch.columns.empty()) return false;
    const DenseColumn& front = batch.columns.front();
    if (reinterpret_cast<std::uintptr_t>(front.cells) % alignof(Value) != 0 ||
        front.stride % static_cast<std::int64_t>(alignof(Value)) != 0)
      return false;
    for (std::size_t c = 0; c < batch.columns.size(); ++c)
      if (batch.columns[c].type != own || batch.columns[c].stride != front.stride ||
          batch.columns[c].cells != front.cells + c * sizeof(Value))
        return false;
    return true;
  }
  const Value* row_of(const DenseBatch& batch, std::size_t r) const noexcept {
    const DenseColumn& front = batch.columns.front();
    return reinterpret_cast<const Value*>(front.cells + static_cast<std::int64_t>(r) * front.stride);
  }

  // offsets_[r + 1] = entries of row r of a batch. Blocks of rows, so that each counter has one writer.
  void count(std::size_t b) {
    const DenseBatch& batch = batches_[b];
    constexpr std::size_t block_rows = 4096;
    std::vector<double> found(num_blocks_of(batch.num_rows, block_rows), 0.0);
    if (batch.num_rows == 0) return;
    parallel_blocks(found.size(), [&](std::size_t block) {
      const std::size_t first = block * block_rows, last = std::min(batch.num_rows, first + block_rows);
      std::uint64_t* counts = offsets_.data() + first_rows_[b] + 1;
      double worst = 0;  // or a value that is not finite
      if (rows_apart_[b]) {
        for (std::size_t r = first; r < last; ++r) {
          const Value* row = row_of(batch, r);
          std::uint64_t present = 0;
          unsigned bad = 0;
          for (std::size_t c = 0; c < width_; ++c) {
            present += row[c] != 0 ? 1 : 0;
            bad |= std::isfinite(row[c]) ? 0U : 1U;
          }
          counts[r] = present;
          if (bad != 0)
            worst = first_bad([&](std::size_t c) { return static_cast<double>(row[c]); }, 0, width_);
        }
      } else {
        std::fill(counts + first, counts + last, std::uint64_t{0});
        for (const DenseColumn& column : batch.columns)
          visit_cells(column, [&](const auto& cell) {
            unsigned bad = 0;
            for (std::size_t r = first; r < last; ++r) {
              const double value = cell(r);
              counts[r] += value != 0 ? 1 : 0;
              bad |= std::isfinite(value) ? 0U : 1U;
            }
            if (bad != 0) worst = first_bad(cell, first, last);
          });
      }
      found[block] = worst;
    });
    for (const double value : found)
      if (value != 0) not_finite_ = value;
  }
  template <class Cell>
  static double first_bad(const Cell& cell, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i)
      if (!std::isfinite(cell(i))) return cell(i);
    return 0;
  }

  void gather(Piece& piece, Worker& worker) const noexcept override {
    std::size_t b = static_cast<std::size_t>(
        std::upper_bound(first_rows_.begin(), first_rows_.end(), piece.first) - first_rows_.begin() - 1);
    for (std::size_t r = piece.first; r < piece.last; ++b) {
      const std::size_t last = std::min(piece.last, first_rows_[b] + batches_[b].num_rows);
      if (last <= r) continue;  // an empty batch
      if (rows_apart_[b])
        gather_rows(piece, b, r, last);
      else
        gather_columns(piece, static_cast<DenseWorker&>(worker), b, r, last);
      r = last;
    }
  }

  void gather_rows(Piece& piece, std::size_t b, std::size_t first, std::size_t last) const noexcept {
    for (std::size_t r = first; r < last; ++r) {
      const Value* from = row_of(batches_[b], r - first_rows_[b]);
      const std::size_t at = begin(piece, r);
      if (offsets_[r + 1] - offsets_[r] == width_) {
        piece.id_places[r - piece.first] = all_ids_.data();
        piece.value_places[r - piece.first] = from;
        continue;
      }
      FeatureId* ids = piece.ids.data() + at;
      Value* values = reinterpret_cast<Value*>(piece.values.data()) + at;
      piece.id_places[r - piece.first] = ids;
      piece.value_places[r - piece.first] = values;
      std::size_t k = 0;
      for (std::size_t c = 0; c < width_; ++c) {
        ids[k] = static_cast<FeatureId>(c);
        values[k] = from[c];
        k += from[c] != 0 ? 1 : 0;
      }
      for (; k < offsets_[r + 1] - offsets_[r]; ++k) ids[k] = 0, values[k] = 0;  // zeros that are new
    }
  }

  void gather_columns(Piece& piece, DenseWorker& worker, std::size_t b, std::size_t first,
                      std::size_t last) const noexcept {
    const std::size_t count = last - first, from = first - first_rows_[b];
    auto* values = reinterpret_cast<Value*>(piece.values.data());
    const bool full = offsets_[last] - offsets_[first] == count * width_;
    std::size_t* at = worker.at.data();
    for (std::size_t r = 0; r < count; ++r) {
      at[r] = begin(piece, first + r);
      piece.id_places[first + r - piece.first] = full ? all_ids_.data() : piece.ids.data() + at[r];
      piece.value_places[first + r - piece.first] = values + at[r];
    }
    const Target to{piece.ids.data(), values, at, count, full};
    const std::vector<DenseColumn>& columns = batches_[b].columns;
    std::size_t c = 0;
    for (; own_type_[b] && c + strip <= width_; c += strip)
      take_strip<strip>(columns.data() + c, c, from, to);
    for (; c < width_; ++c)
      if (own_type_[b])
        take_strip<1>(columns.data() + c, c, from, to);
      else
        take_column(columns[c], c, from, to);
    for (std::size_t r = 0; r < count; ++r)
      for (const std::size_t end = begin(piece, first + r + 1) - 1; at[r] < end; ++at[r])
        piece.ids[at[r]] = 0, values[at[r]] = 0;  // zeros that are new
  }

  // Where the rows of a piece are written: each from at[row] on.
  struct Target {
    FeatureId* ids;
    Value* values;
    std::size_t* at;
    std::size_t count;
    bool full;  // no value is 0, and nobody asks for ids
  };
  static constexpr std::size_t strip = 8;  // columns at a time: a cache line of each row

  template <std::size_t width>
  static void take_strip(const DenseColumn* columns, std::size_t first, std::size_t from,
                         const Target& to) noexcept {
    const auto value = [&](std::size_t l, std::size_t r) {
      Value cell;
      std::memcpy(&cell, columns[l].cells + static_cast<std::int64_t>(from + r) * columns[l].stride,
                  sizeof cell);
      return cell;
    };
    for (std::size_t r = 0; r < to.count; ++r) {
      std::size_t at = to.at[r];
      for (std::size_t l = 0; l < width; ++l) {
        const Value cell = value(l, r);
        to.values[at] = cell;
        if (!to.full) to.ids[at] = static_cast<FeatureId>(first + l);
        at += cell != 0 ? 1 : 0;
      }
      to.at[r] = at;
    }
  }

  static void take_column(const DenseColumn& column, std::size_t c, std::size_t from,
                          const Target& to) noexcept {
    visit_cells(column, [&](const auto& cell) {
      for (std::size_t r = 0; r < to.count; ++r) {
        const double value = cell(from + r);
        to.ids[to.at[r]] = static_cast<FeatureId>(c);
        to.values[to.at[r]] = static_cast<Value>(value);
        to.at[r] += value != 0 ? 1 : 0;
      }
    });
  }

  std::vector<DenseBatch> batches_;
  std::vector<std::size_t> first_rows_;
  std::vector<char> rows_apart_;  // per batch: lies_in_rows
  std::vector<char> own_type_;    // per batch: all columns are of the source's own type
  std::size_t width_;
  std::vector<FeatureId> all_ids_;
  double not_finite_ = 0;
};

template <class Value>
DenseRows rows_over(std::vector<DenseBatch> batches, std::size_t num_columns) {
  auto source = std::make_shared<DenseSource<Value>>(std::move(batches), num_columns);
  DenseRows rows;
  rows.num_columns = num_columns;
  rows.is_single = sizeof(Value) == sizeof(float);
  rows.not_finite = source->not_finite();
  if (rows.not_finite == 0) rows.source = std::move(source);
  return rows;
}

}  // namespace

SparseMatrix DenseRows::matrix() const {
  return is_single ? matrix_over<float>(source, num_columns) : matrix_over<double>(source, num_columns);
}

DenseRows dense_rows_over(std::vector<DenseBatch> batches, std::size_t num_columns) {
  bool single = true;
  for (const DenseBatch& batch : batches)
    for (const DenseColumn& column : batch.columns) single = single && column.type == CellType::f32;
  return single ? rows_over<float>(std::move(batches), num_columns)
                : rows_over<double>(std::move(batches), num_columns);
}

}  // namespace lazylogit::data
