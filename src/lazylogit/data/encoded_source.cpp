#include "lazylogit/data/encoded_source.hpp"

#include <algorithm>

#include "lazylogit/base/parallel.hpp"

namespace lazylogit::data {
namespace {

// Calls put(row, feature, value) for the entries of a column in the rows [first, last); a feature may be no_entry.
template <class Put>
void visit_entries(const EncodedColumn& column, std::size_t first, std::size_t last, const Put& put) {
  const auto gone = [&](std::size_t r) {
    for (const EncodedEntry& entry : column.missing) put(r, entry.feature, entry.value);
  };
  if (column.book == nullptr) {
    visit_present(
        column, first, last, [&](std::size_t r, double number) { put(r, column.feature, number); }, gone);
    return;
  }
  const CodeBook& book = *column.book;
  const auto size = static_cast<double>(book.features.size());
  const auto visit_codes = [&](const auto& value) {
    visit_present(
        column, first, last,
        [&](std::size_t r, double code) {
          if (!(code >= 0 && code < size)) return gone(r);
          const auto at = static_cast<std::size_t>(code);
          if (book.features[at] == missing_entry) return gone(r);
          put(r, book.features[at], value(at));
        },
        gone);
  };
  if (book.values.empty())
    visit_codes([](std::size_t) { return 1.0; });
  else
    visit_codes([&](std::size_t code) { return book.values[code]; });
}

class EncodedSource final : public RowSource {
 public:
  explicit EncodedSource(std::vector<EncodedBatch> batches) : batches_(std::move(batches)) {
    std::size_t rows = 0, most_columns = 0;
    for (const EncodedBatch& batch : batches_) {
      first_rows_.push_back(rows);
      rows += batch.num_rows;
      most_columns = std::max(most_columns, batch.columns.size());
    }
    offsets_ = Buffer<std::uint64_t>(rows + 1, 0);
    for (std::size_t b = 0; b < batches_.size(); ++b) count(b);
    for (std::size_t r = 0; r < rows; ++r) offsets_[r + 1] += offsets_[r];
    constexpr std::size_t cached = 24'576;
    limit_pieces(cached, most_rows, 2 * most_columns + 1);
  }

 private:
  static constexpr std::size_t most_rows = 256;
  struct EncodedWorker final : Worker {
    std::array<std::size_t, most_rows> at;  // where the next entry of each row goes
  };
  std::unique_ptr<Worker> make_worker() const override { return std::make_unique<EncodedWorker>(); }

  // offsets_[r + 1] = entries of row r of a batch. Blocks of rows, so that each counter has one writer.
  void count(std::size_t b) {
    const EncodedBatch& batch = batches_[b];
    constexpr std::size_t block_rows = 4096;
    std::uint64_t* counts = offsets_.data() + first_rows_[b] + 1;
    parallel_blocks(num_blocks_of(batch.num_rows, block_rows), [&](std::size_t block) {
      const std::size_t first = block * block_rows, last = std::min(batch.num_rows, first + block_rows);
      for (const EncodedColumn& column : batch.columns)
        visit_entries(column, first, last, [&](std::size_t r, FeatureId feature, double value) {
          counts[r] += feature != no_entry && value != 0 ? 1 : 0;
        });
    });
  }

  void gather(Piece& piece, Worker& worker) const noexcept override {
    std::size_t* at = static_cast<EncodedWorker&>(worker).at.data();
    for (std::size_t r = piece.first; r < piece.last; ++r) {
      const std::size_t k = r - piece.first;
      at[k] = begin(piece, r);
      piece.id_places[k] = piece.ids.data() + at[k];
      piece.value_places[k] = piece.values.data() + at[k];
    }
    std::size_t b = static_cast<std::size_t>(
        std::upper_bound(first_rows_.begin(), first_rows_.end(), piece.first) - first_rows_.begin() - 1);
    for (std::size_t row = piece.first; row < piece.last; ++b) {
      const std::size_t last = std::min(piece.last, first_rows_[b] + batches_[b].num_rows);
      if (last <= row) continue;  // an empty batch
      const std::size_t start = first_rows_[b];
      for (const EncodedColumn& column : batches_[b].columns)
        visit_entries(column, row - start, last - start, [&](std::size_t r, FeatureId feature, double value) {
          std::size_t& to = at[start + r - piece.first];
          piece.ids[to] = feature;
          piece.values[to] = value;
          to += feature != no_entry && value != 0 ? 1 : 0;
        });
      row = last;
    }
    for (std::size_t r = piece.first; r < piece.last; ++r)
      for (std::size_t &k = at[r - piece.first], end = begin(piece, r + 1) - 1; k < end; ++k)
        piece.ids[k] = 0, piece.values[k] = 0;  // entries that are gone
  }

  std::vector<EncodedBatch> batches_;
  std::vector<std::size_t> first_rows_;
};

}  // namespace

SparseMatrix encoded_rows_over(std::vector<EncodedBatch> batches, std::size_t num_features) {
  return matrix_over<double>(std::make_shared<EncodedSource>(std::move(batches)), num_features);
}

}  // namespace lazylogit::data
