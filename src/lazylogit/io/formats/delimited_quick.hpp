// Rows of a stream of tables with hashed features in one walk without messages: short numbers, short categories and a label, as nearly
// all rows are. What is not taken here is taken the long way (delimited_applying.cpp), with the same features in the same order.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lazylogit/io/columns/applied_columns.hpp"
#include "lazylogit/io/columns/number_lanes.hpp"
#include "lazylogit/io/formats/field_index.hpp"

namespace lazylogit::io {

class QuickRows {
 public:
  // Of a stream. `field_of`: the field of each column. All must outlive this object.
  QuickRows(const ColumnEncoder& encoder, const std::vector<AppliedColumn>& columns,
            const std::vector<std::uint32_t>& field_of, const ReadOptions& options);

  // Whether rows of this table may be taken: every feature is hashed, a number or a category, without logarithms.
  bool fit(const RowBlock& out) const noexcept { return fits_ && out.store_double; }

  // Adds the features of the open row of `out` and gives the roles theirs; false: to be taken again, the long way. The record of `index` is
  // plain; eight bytes before it are readable.
  bool take(const FieldIndex& index, RowRoles& roles, RowBlock& out);
  // After take(): every value of the row was 1.
  bool is_ones() const noexcept { return !other_; }

 private:
  struct Numbers {  // columns of numbers that stand side by side
    std::uint32_t field, first, count;
  };
  struct Category {
    std::uint32_t field;
    std::uint32_t prefix;    // bytes of `name` that are the column's
    std::vector<char> name;  // with room for a short value
    std::uint64_t head = 0;  // the first bytes of `name` up to the value, then zeros
  };
  struct Role {
    const AppliedColumn* column;
    std::uint32_t field;
  };
  // What comes next in a row, in the order of columns.
  struct Step {
    bool numbers;
    std::uint32_t at;  // in numbers_ or categories_
  };
  bool take_numbers(const Numbers& run, const FieldIndex& index, NumberEntries& entries);
  static std::uint64_t hash_of(Category& category, std::string_view value) noexcept;
  bool take_category(Category& category, const FieldIndex& index, NumberEntries& entries) const;

  bool fits_ = false, other_ = false;
  std::uint32_t mask_ = 0;
  TakeNumbers take_numbers_ = number_taker();
  std::vector<Role> roles_;
  std::vector<Step> steps_;
  std::vector<Numbers> numbers_;
  std::vector<Category> categories_;
  std::vector<std::uint32_t> feature_of_;  // of columns of numbers
  std::vector<SeenNumbers> seen_;          // enough for the longest run
};

}  // namespace lazylogit::io
