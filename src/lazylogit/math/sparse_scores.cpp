#include "lazylogit/math/sparse_scores.hpp"

#include <vector>

#include "lazylogit/math/target_clones.hpp"

namespace lazylogit::math {
namespace {

template <class Value>
LAZYLOGIT_ALWAYS_INLINE void score_all(const RowRange& rows, const Value* values, const ScoreTable& table,
                                       const double* start, double* scores) noexcept {
  for (std::size_t i = 0; i < rows.num_rows; ++i) {
    const std::uint64_t from = rows.offsets[i];
    const Value* row_values = values;
    if constexpr (!std::is_empty_v<Value>) row_values += from;
    sparse_scores(rows.ids + from, row_values, rows.offsets[i + 1] - from, table.coefficients, table.stride,
                  start, scores + i * table.stride);
  }
}

LAZYLOGIT_TARGET_CLONES void score_floats(const RowRange& rows, const float* values, const ScoreTable& table,
                                          const double* start, double* scores) noexcept {
  score_all(rows, values, table, start, scores);
}

LAZYLOGIT_TARGET_CLONES void score_doubles(const RowRange& rows, const double* values,
                                           const ScoreTable& table, const double* start,
                                           double* scores) noexcept {
  score_all(rows, values, table, start, scores);
}

LAZYLOGIT_TARGET_CLONES void score_ones(const RowRange& rows, const Ones* values, const ScoreTable& table,
                                        const double* start, double* scores) noexcept {
  score_all(rows, values, table, start, scores);
}

// The scores of an empty row, with zeros where the table names none.
class Start {
 public:
  explicit Start(const ScoreTable& table) : zeros_(table.intercepts == nullptr ? table.stride : 0, 0.0) {
    start_ = table.intercepts == nullptr ? zeros_.data() : table.intercepts;
  }
  const double* get() const noexcept { return start_; }

 private:
  std::vector<double> zeros_;
  const double* start_;
};

}  // namespace

void score_rows(const RowRange& rows, const float* values, const ScoreTable& table, double* scores) {
  score_floats(rows, values, table, Start(table).get(), scores);
}

void score_rows(const RowRange& rows, const double* values, const ScoreTable& table, double* scores) {
  score_doubles(rows, values, table, Start(table).get(), scores);
}

void score_rows(const RowRange& rows, std::nullptr_t, const ScoreTable& table, double* scores) {
  score_ones(rows, nullptr, table, Start(table).get(), scores);
}

}  // namespace lazylogit::math
