// What is found out about the columns of a table, or of one block of it: what decides their types and what is said about them.
//
// Tables may have a million columns, and several blocks are in flight: a column of numbers takes 16 bytes, and what few
// columns have lies elsewhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace lazylogit::io {

struct CellExample {
  std::uint64_t line = 0, column = 0;  // line 0: none
  const std::string* place = nullptr;  // the name of its input, where it has one
  std::string text = {};

  std::string file() const { return place != nullptr ? *place : std::string(); }
};

// Of cells that are no numbers where the plan assumes numbers, and of texts.
struct RareFacts {
  struct Texts {
    std::uint64_t with_blanks = 0;      // cells that hold a blank
    std::vector<std::uint64_t> hashes;  // of the cells, for counting distinct ones
  };
  std::uint64_t present = 0;            // cells; those of numbers and of categories are counted elsewhere
  CellExample non_number;               // the first present cell that is no number
  std::unique_ptr<CellExample> nested;  // jsonl: the first object or array where the plan assumes none
  std::unique_ptr<Texts> texts;         // of a column of texts

  bool has_non_number() const noexcept { return non_number.line != 0; }
};

struct ColumnFacts {
  double first = 0;  // numeric: the first one
  std::uint64_t missing : 60 = 0;
  std::uint64_t has_number : 1 = 0;
  std::uint64_t varied : 1 = 0;  // numeric: two different values
  // Where rows are checked alone, in place of RareFacts: cells that are no numbers, and objects or arrays.
  std::uint64_t has_other : 1 = 0;
  std::uint64_t has_nested : 1 = 0;

  void add_missing(std::uint64_t cells) noexcept {
    missing = (missing + cells) & ((std::uint64_t{1} << 60) - 1);
  }
  void add_number(double value) noexcept {
    if (has_number == 0) first = value;
    if (first != value) varied = 1;
    has_number = 1;
  }
};
static_assert(sizeof(ColumnFacts) == 16);

class TableFacts {
 public:
  TableFacts() = default;
  explicit TableFacts(std::size_t columns) : columns_(columns) {}

  std::size_t size() const noexcept { return columns_.size(); }
  ColumnFacts& operator[](std::size_t column) noexcept { return columns_[column]; }
  const ColumnFacts& operator[](std::size_t column) const noexcept { return columns_[column]; }
  // Empty where there are none.
  const RareFacts& rare(std::size_t column) const noexcept {
    static const RareFacts none;
    return rare_.empty() || rare_[column] == nullptr ? none : *rare_[column];
  }
  // Makes room for those of every column: several threads may ask for those of different ones then.
  void reserve_rare() { rare_.resize(columns_.size()); }
  RareFacts& make_rare(std::size_t column) {
    reserve_rare();
    if (rare_[column] == nullptr) rare_[column] = std::make_unique<RareFacts>();
    return *rare_[column];
  }
  bool any_missing() const noexcept;

  // When all is said about them: they take several times what the others do.
  void drop_rare() noexcept { rare_ = std::vector<std::unique_ptr<RareFacts>>(); }

  // Adds those of the same columns in rows that follow; `from` loses its rare ones.
  void merge(std::size_t column, TableFacts& from);
  // After the last rows: leaves one of each hash.
  void count_distinct();

 private:
  std::vector<ColumnFacts> columns_;
  std::vector<std::unique_ptr<RareFacts>> rare_;  // by column, once there is one
};

}  // namespace lazylogit::io
